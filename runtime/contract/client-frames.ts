import { z } from 'zod';
import { labErrorData } from './error-schema.ts';
import { event } from './run.ts';

/**
 * Frames of the client API over a port (a control socket, a message port): plain JSON objects. The host speaks first,
 * with `hello`; every `call` is answered by one `reply` or `fault`, a `follow` by events until `unfollow`.
 */
export const clientProtocol = 1;

/** Most bytes of one frame, as text with its line end. A call carries an input of at most 128 KiB, escaped. */
export const clientFrameBytes = { toHost: 2 * 1024 * 1024, fromHost: 64 * 1024 * 1024 } as const;

const callNumber = z.int().nonnegative();

export const toHost = z.discriminatedUnion('tag', [
  z.strictObject({ tag: z.literal('call'), call: callNumber, name: z.string(), input: z.unknown() }),
  z.strictObject({ tag: z.literal('follow'), call: callNumber, run: z.string(), after: z.int().nonnegative() }),
  z.strictObject({ tag: z.literal('unfollow'), call: callNumber }),
]);
export type ToHost = z.infer<typeof toHost>;

export const fromHost = z.discriminatedUnion('tag', [
  z.strictObject({ tag: z.literal('hello'), protocol: z.int() }),
  /** `output` is checked by the row of the call that it answers. */
  z.strictObject({ tag: z.literal('reply'), call: callNumber, output: z.unknown() }),
  z.strictObject({ tag: z.literal('fault'), call: callNumber, error: labErrorData }),
  z.strictObject({ tag: z.literal('event'), call: callNumber, event }),
]);
export type FromHost = z.infer<typeof fromHost>;

/** One end of a connection that carries whole frames, in order. */
export interface FramePort<Out> {
  /** Resolves when the port can take more. Frames sent after its end are dropped. */
  send(frame: Out): Promise<void>;
  /** Each frame as it came, not checked yet. Called once, before anything arrives. */
  onFrame(listener: (frame: unknown) => void): void;
  /** Once, with the reason in words. */
  onEnd(listener: (reason: string) => void): void;
  end(): void;
}
