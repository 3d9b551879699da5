import { clientSocketPath } from '../../runtime/contract/index.ts';
import { openResumingClient } from './resuming-client.ts';
import { openWebSocketPort } from './web-socket-port.ts';
import { takeWindowPort } from './window-port.ts';
import { useLab } from '../store/lab-store.ts';

// The loopback page is plain http; the window has a scheme of its own.
const inWindow = location.protocol !== 'http:';

/** The lab that this page shows. In the desktop window a lost port comes back with the next load only. */
export const lab = openResumingClient(
  () => (inWindow ? takeWindowPort() : openWebSocketPort(`ws://${location.host}${clientSocketPath}`)),
  (connection) => useLab.setState({ connection }),
);

// After sleep, or back on this tab: do not wait for the next try.
window.addEventListener('online', () => lab.retryNow());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') lab.retryNow();
});
