import type { Bindings, Clock } from '../core/index.ts';
import type { Admission, Ledger, Platform, Release, Releases, Services, Supervisor, Vault } from './ports.ts';

/** What the composition root hands to the engine. */
export interface EngineParts {
  readonly ledger: Ledger;
  readonly supervisor: Supervisor;
  readonly releases: Releases;
  readonly platform: Platform;
  readonly services: Services;
  readonly vault: Vault;
  readonly admission: Admission;
  readonly clock: Clock;
  newId(): string;
  /** How long a tool's `recover` callback may take; `limits.recoverMs` when not given. */
  readonly recoverMs?: number;
  /** Kills this very process as a crash would, for points that do that. */
  endHost(): void;
  /** `runs/` of the data folder. */
  readonly runsFolder: string;
  /** The bundle that every relay's process starts with. */
  readonly sdk: string;
  /** The bindings that a run of this release and input has now, on this host. */
  bindings(release: Release, input: string): Promise<Bindings>;
  /** Files in which a draft's folder differs from the release that was made of it. */
  draftChanges(folder: string, release: Release): Promise<string[]>;
}
