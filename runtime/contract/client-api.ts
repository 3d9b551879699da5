import type { z } from 'zod';
import type { LabError } from '../core/index.ts';
import type { feeds } from './feeds.ts';
import { labCalls } from './lab-calls.ts';
import { mcpCalls } from './mcp-calls.ts';
import { relayCalls } from './relay-calls.ts';
import { runCalls } from './run-calls.ts';
import { vaultCalls } from './vault-calls.ts';

/**
 * The client API (DESIGN.md section 10): each call once, as a row of schemas for what it takes and gives; each feed
 * once, as a row for what it takes and the items it gives. Command line, page and tests use it alike, in one process
 * or over any message port. Failures are LabErrors.
 */
export const calls = { ...runCalls, ...relayCalls, ...labCalls, ...mcpCalls, ...vaultCalls } satisfies Record<
  string,
  { takes: z.ZodType; gives: z.ZodType }
>;

export type CallName = keyof typeof calls;
export type Takes<N extends CallName> = z.output<(typeof calls)[N]['takes']>;
export type Gives<N extends CallName> = z.output<(typeof calls)[N]['gives']>;

export type FeedName = keyof typeof feeds;
export type FeedTakes<F extends FeedName> = z.output<(typeof feeds)[F]['takes']>;
export type FeedItem<F extends FeedName> = z.output<(typeof feeds)[F]['item']>;

/** What serves the calls: one handler a row, so that a missing one does not compile. */
export type Handlers = { readonly [N in CallName]: (input: Takes<N>) => Promise<Gives<N>> };

/** Where a feed puts its items. */
export interface FeedOutlet<Item> {
  /** Resolves when the next may be given; the source waits for it, so that a slow reader fills no memory. */
  give(this: void, item: Item): void | Promise<void>;
  /** The feed has ended: nothing comes any more. */
  fail(this: void, error: unknown): void;
}

/** What serves the feeds: starts one and returns the way to stop it. */
export type Feeds = { readonly [F in FeedName]: (input: FeedTakes<F>, outlet: FeedOutlet<FeedItem<F>>) => () => void };

/** What calls the API. */
export interface LabClient {
  call<N extends CallName>(name: N, input: Takes<N>): Promise<Gives<N>>;
  /**
   * Items in order, each once, until the returned function is called. `onEnd` is called when the feed ended by itself:
   * the host is gone, refused it or failed.
   */
  follow<F extends FeedName>(
    feed: F,
    input: FeedTakes<F>,
    listener: (item: FeedItem<F>) => void | Promise<void>,
    onEnd?: (error: LabError) => void,
  ): () => void;
  close(): Promise<void>;
}
