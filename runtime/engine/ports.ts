import type {
  Attempt,
  FromChild,
  LabEvent,
  Manifest,
  Operation,
  Permission,
  Receipt,
  Run,
  ToChild,
} from '../contract/index.ts';
import type {
  AdmissionDecision,
  EndCause,
  HistoryEntry,
  Json,
  JournaledCall,
  LedgerWrite,
  OperationId,
  Outcome,
  ProcessIdentity,
  Resource,
} from '../core/index.ts';

/** What the engine needs of the others. The composition root hands in what implements it. */

interface Committed {
  /** The epoch that a `run/claim` of this unit gave, else null. */
  readonly epoch: number | null;
  /** The events of this unit, in order. */
  readonly events: readonly LabEvent[];
}

export interface Ledger {
  /**
   * Makes one unit durable and resolves after its commit returned. A unit that is refused writes nothing and rejects
   * with a LabError; a ledger that cannot be written rejects with one of class `broken`. `lazy` units wait for the next
   * that is not, for at most `limits.lazyIntentMs`. Units commit in the order they were given.
   */
  commit(unit: readonly LedgerWrite[], options?: { readonly lazy?: boolean }): Promise<Committed>;
  /** Calls back for each committed event of any run, in commit order, after its commit. Returns the way to stop. */
  onEvent(listener: (event: LabEvent) => void): () => void;

  run(id: string): Run | null;
  attempts(run: string): Attempt[];
  /** In program order, after `after`. */
  operations(run: string, page: { readonly after: OperationId | null; readonly limit: number }): Operation[];
  operation(run: string, id: OperationId): Operation | null;
  history(run: string): HistoryEntry[];
  uncertainOperations(run: string): OperationId[];
  runsInStates(states: readonly Run['state'][]): Run[];
  listRuns(page: {
    readonly before: { readonly createdAt: number; readonly id: string } | null;
    readonly limit: number;
    readonly relay: string | null;
    readonly state: Run['state'] | null;
  }): Run[];
  events(run: string, page: { readonly after: number; readonly limit: number }): LabEvent[];
  receipts(run: string, operation: OperationId | null): Receipt[];
  permissions(): Permission[];
  /** Null when there is no record. */
  isGranted(caller: string, resource: Resource): boolean | null;
  oldestMessage(workflow: string, topic: string): { readonly id: number; readonly body: string } | null;
  workflowEvent(workflow: string, key: string): string | null;
  /** Values from `from` on; `closed` when the stream was closed after them. */
  stream(workflow: string, key: string, from: number): { readonly values: readonly string[]; readonly closed: boolean };
  /** An operation of kind `child` by the workflow id that it runs under. */
  childWorkflow(workflow: string): Operation | null;
}

interface ProcessSpec {
  readonly run: string;
  readonly attempt: number;
  /** The run's folder, which keeps the attempt's evidence. Exists already. */
  readonly runDir: string;
  /** The process's own folder, where it starts, and the only one that it may write. Exists already. */
  readonly workDir: string;
  /** Folders and files that it may read, beside its own folder. */
  readonly readable: readonly string[];
}

export interface ProcessListener {
  /** A validated frame. Frames come in order and never after `onEnd`. */
  onFrame(frame: FromChild): void;
  /** Once: the group is empty and its output is on disk. A bad frame has ended it with `frame-invalid`. */
  onEnd(cause: EndCause): void;
}

export interface RelayProcess {
  readonly identity: ProcessIdentity;
  send(frame: ToChild): void;
  /** Reads no frame until `resume`. */
  pause(): void;
  resume(): void;
  /**
   * Signals the whole group now. `cause` becomes the cause of death: of the first SIGKILL, or of the first SIGTERM when
   * no SIGKILL follows; SIGSTOP ends nothing. After SIGKILL no further frame is delivered.
   */
  signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP', cause: EndCause): void;
}

export interface Supervisor {
  /** Resolves when the process leads its group and the keeper guards it; its code starts on the `start` frame. */
  spawn(spec: ProcessSpec, listener: ProcessListener): Promise<RelayProcess>;
  /** Whether that very process still lives: pid and start time both match. */
  isAlive(process: ProcessIdentity): boolean;
  /** Ends the group of a leftover process, if that very process still lives, and waits until the group is empty. */
  endLeftover(process: ProcessIdentity): Promise<void>;
  /** This host's own process. */
  readonly self: ProcessIdentity;
}

/** A release that stands frozen on disk. */
export interface Release {
  /** `sha256:…` */
  readonly hash: string;
  readonly manifest: Manifest;
  /** The release's folder, readable by the relay's process. */
  readonly folder: string;
  /** The compiled entry. */
  readonly bundle: string;
}

export interface Releases {
  /** The frozen release, its complete checksum verified now. Throws `binding-changed` naming each file that differs. */
  verify(hash: string): Promise<Release>;
}

interface PlatformCall {
  readonly run: string;
  readonly attempt: number;
  readonly operation: OperationId;
  readonly kind: 'agent' | 'mcp';
  readonly name: string;
  readonly input: Json;
  readonly release: Release;
  readonly runDir: string;
  readonly signal: AbortSignal;
  /** Runs a tool's function in the relay's process. JSON text in, JSON text out; an error of the function as outcome. */
  callTool(name: string, argumentsJson: string): Promise<Outcome>;
  /** Of an agent with `recovery: "restart"`, whose tools are journaled: what it has done so far. Null for others. */
  readonly journal: { calls(): readonly JournaledCall[] } | null;
  /** The live check before the next part of the call, `what` in words. Rejects with the refusal, which ends the call. */
  admit(what: string): Promise<void>;
  /** Takes an answer that came after the signal had stopped the call: evidence. */
  late(answer: { readonly source: string; readonly value: Json }): void;
  /** Keeps a receipt linked to the operation. */
  receipt(receipt: {
    kind: 'agent' | 'mcp' | 'tool';
    name: string;
    ok: boolean;
    durationMs: number;
    data: Json;
  }): Promise<void>;
}

export interface Platform {
  /** Connections that a call goes through, for admission: `mcp:NAME` for each server it would use. */
  connections(kind: 'agent' | 'mcp', input: Json): Resource[];
  /** Carries the call out. Resolves with JSON for the relay; rejects with what the relay's code is to catch. */
  perform(call: PlatformCall): Promise<Json>;
  /** Lets go of what was opened for a run's attempt (MCP servers). */
  release(run: string, attempt: number): Promise<void>;
}

export interface Services {
  /** The base URL of a named service, resolved now. Throws `not-found` naming it and what there is. */
  baseUrl(name: string): Promise<string>;
  /**
   * Asks the lab's own services to hold back the next answer that belongs to this operation once its work is durable,
   * and to say so. Resolves when the services know of it, so that no request can come before. `held` resolves when an
   * answer is held; never when none is asked for. `stop` withdraws the request and frees a held answer.
   */
  holdNext(match: {
    readonly run: string;
    readonly operation: OperationId;
  }): Promise<{ readonly held: Promise<string>; stop(): void }>;
}

export interface Vault {
  /** A secret's value as it is now. Rejects with `not-found` or `vault-unreadable`, saying what to do. */
  resolve(name: string): Promise<string>;
}

export interface Admission {
  decide(caller: string, relay: string, connection: Resource | null): AdmissionDecision;
}
