import type { ToChild } from '../contract/index.ts';
import { LabError, toWireError, type OperationId, type Outcome } from '../core/index.ts';
import type { AttemptContext } from './attempt-context.ts';

export interface ToolRequest extends Pick<Extract<ToChild, { tag: 'tool' }>, 'operation' | 'purpose' | 'name'> {
  /** The agent's operation. */
  readonly agent: OperationId;
  /** JSON text. */
  readonly arguments: string;
}

/** Calls the functions of an agent's tools, which live in the relay's process. */
export class RelayTools {
  readonly #context: Pick<AttemptContext, 'send'>;
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  #next = 0;

  constructor(context: Pick<AttemptContext, 'send'>) {
    this.#context = context;
  }

  /** Resolves with the function's result as JSON text, or with what it threw. */
  call({ agent, operation, purpose, name, arguments: args }: ToolRequest): Promise<Outcome> {
    const call = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(call, resolve);
      this.#context.send({ tag: 'tool', call, id: agent, operation, purpose, name, arguments: args });
    });
  }

  /** The relay's answer. One that nobody waits for any more is dropped. */
  answered(call: number, outcome: Outcome): void {
    this.#waiting.get(call)?.(outcome);
    this.#waiting.delete(call);
  }

  /** The process is gone: what waits for its answers gets none. */
  close(): void {
    const gone = toWireError(new LabError('process-gone', "the relay's process is gone"));
    for (const answer of this.#waiting.values()) answer({ ok: false, error: gone });
    this.#waiting.clear();
  }
}
