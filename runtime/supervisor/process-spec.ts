import type { FromChild, ToChild } from '../contract/index.ts';
import type { EndCause, ProcessIdentity } from '../core/index.ts';

/** What is to be started: the shape that the engine hands over. */
export interface ProcessSpec {
  readonly run: string;
  readonly attempt: number;
  /** The run's folder, which keeps the attempt's evidence. Exists already. */
  readonly runDir: string;
  /** The process's own folder, where it starts, and the only one that it may write. Exists already. */
  readonly workDir: string;
  /** Folders and files that it may read, beside its own folder and the sdk. */
  readonly readable: readonly string[];
}

export interface ProcessListener {
  /** A validated frame. Frames come in order and never after `onEnd`. */
  onFrame(frame: FromChild): void;
  /** Once: the group is empty, its output and `exit.json` are on disk. */
  onEnd(cause: EndCause): void;
}

export interface RelayProcess {
  readonly identity: ProcessIdentity;
  /** Does nothing when the process is gone. Throws `too-large` over `limits.frameBytes`. */
  send(frame: ToChild): void;
  /** Reads no frame until `resume`: what the process says waits in its socket, and then in the process itself. */
  pause(): void;
  resume(): void;
  /** The first cause wins. After SIGKILL no further frame is delivered; a stopped group is killed as well. */
  signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP', cause: EndCause): void;
}

/** A piece of output that now stands in the attempt's file `stream`, `offset` bytes from its start. */
export interface OutputPiece {
  readonly run: string;
  readonly attempt: number;
  readonly stream: 'stdout' | 'stderr';
  readonly offset: number;
  readonly bytes: Uint8Array;
}
