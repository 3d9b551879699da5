import { portMessage, type FramePort } from '../../runtime/contract/index.ts';

/** The host of this window, over the one message port that the preload script hands over for each load. */
export function takeWindowPort(): Promise<FramePort> {
  return new Promise((resolve) => {
    const listener = ({ data, source, ports }: MessageEvent): void => {
      const [port] = ports;
      if (source !== window || data !== portMessage || port === undefined) return;
      window.removeEventListener('message', listener);
      resolve(framePort(port));
    };
    window.addEventListener('message', listener);
  });
}

function framePort(port: MessagePort): FramePort {
  let onEnd: (reason: string) => void = () => undefined;
  const end = (reason: string): void => {
    port.close();
    onEnd(reason);
  };
  port.addEventListener('close', () => end('the host closed the port'));
  return {
    send(frame) {
      port.postMessage(frame);
      return Promise.resolve();
    },
    onFrame(listener) {
      port.onmessage = ({ data }) => listener(data);
    },
    onEnd: (listener) => void (onEnd = listener),
    end: () => end('the page closed the port'),
  };
}
