import { z } from 'zod';

/**
 * Frames of the client API over a port (a control socket, a WebSocket, a message port): the requests and answers of the
 * RPC library, as plain JSON objects. What is called and answered is checked by the rows of the API.
 */
export const clientProtocol = 2;

/** Most bytes of one frame, as text with its line end. A call carries an input of at most 128 KiB, escaped. */
export const clientFrameBytes = { toHost: 2 * 1024 * 1024, fromHost: 64 * 1024 * 1024 } as const;

/** Where the page finds its WebSocket, on its own origin. */
export const clientSocketPath = '/api';

const callNumber = z.string().max(100);

export const rpcFrame = z.discriminatedUnion('t', [
  z.strictObject({
    t: z.literal('q'),
    i: callNumber.optional(),
    m: z.enum(['hello', 'call', 'follow', 'unfollow', 'item', 'ended']),
    a: z.array(z.unknown()).max(3),
    o: z.boolean().optional(),
  }),
  z.strictObject({ t: z.literal('s'), i: callNumber, r: z.unknown().optional(), e: z.unknown().optional() }),
]);
export type RpcFrame = z.infer<typeof rpcFrame>;

/** One end of a connection that carries whole frames, in order. */
export interface FramePort {
  /** Resolves when the port can take more. Frames sent after its end are dropped. */
  send(frame: RpcFrame): Promise<void>;
  /** Each frame as it came, not checked yet. Called once, before anything arrives. */
  onFrame(listener: (frame: unknown) => void): void;
  /** Once, with the reason in words. */
  onEnd(listener: (reason: string) => void): void;
  end(): void;
}

/** What a host can be asked for. */
export interface HostSide {
  hello(): Promise<number>;
  call(name: unknown, input: unknown): Promise<unknown>;
  follow(follow: unknown, feed: unknown, input: unknown): void;
  unfollow(follow: unknown): void;
}

/** What a client can be asked for: it is given items, and its answer says that it can take the next. */
export interface ClientSide {
  item(follow: unknown, item: unknown): Promise<void>;
  ended(follow: unknown, error: unknown): void;
}
