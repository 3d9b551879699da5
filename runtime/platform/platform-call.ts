import type { Manifest } from '../contract/index.ts';
import { LabError, type Json, type JournaledCall, type OperationId, type Outcome } from '../core/index.ts';

/** One call that a relay made, with what it may use. The engine has recorded its intent and checked admission. */
export interface PlatformCall {
  readonly run: string;
  readonly attempt: number;
  readonly operation: OperationId;
  readonly kind: 'agent' | 'mcp';
  readonly name: string;
  readonly input: Json;
  readonly release: { readonly manifest: Manifest; readonly folder: string };
  readonly runDir: string;
  readonly signal: AbortSignal;
  /** Runs a tool's function in the relay's process. JSON text in, JSON text out; an error of the function as outcome. */
  callTool(name: string, argumentsJson: string): Promise<Outcome>;
  /** Of an agent with `recovery: "restart"`, whose tools are journaled: what it has done so far. Null for others. */
  readonly journal: { calls(): readonly JournaledCall[] } | null;
  /**
   * Checks admission and the release anew before the next part of the call, `what` in words, with a receipt of its own.
   * Rejects with `admission-denied` or `binding-changed`, which is to end the whole call.
   */
  admit(what: string): Promise<void>;
  /** Keeps a receipt linked to the operation. */
  receipt(receipt: Receipt): Promise<void>;
  /**
   * Takes an answer that came after the signal had stopped the call: evidence of what happened at `source`, at most
   * 128 KiB of JSON, within a short while of the attempt's end. Not called for an error.
   */
  late?(answer: { readonly source: string; readonly value: Json }): void;
}

interface Receipt {
  readonly kind: 'agent' | 'mcp' | 'tool';
  readonly name: string;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly data: Json;
}

/** The error of a call that was stopped from outside: the run is cancelled, or its process is gone. */
export function stopped(what: string, signal: AbortSignal): LabError {
  const reason = signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
  return new LabError('cancelled', `${what} was stopped: ${reason}`);
}

export function throwIfStopped(what: string, signal: AbortSignal): void {
  if (signal.aborted) throw stopped(what, signal);
}
