import { readFile } from 'node:fs/promises';
import { canonicalJson, type Bindings } from '../core/index.ts';
import { sha256 } from './digest.ts';

interface BoundParts {
  readonly release: string;
  /** JSON text, as the run keeps it. */
  readonly input: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The sdk's one file. */
  readonly sdkPath: string;
  /** Which engine keeps the checkpoints, with its version: `sqlite/3.50.4`. */
  readonly engine: string;
}

/** The bindings that a run of these parts has on this host, now. The sdk's bytes are read each time. */
export async function bindingsOf({ release, input, variables, sdkPath, engine }: BoundParts): Promise<Bindings> {
  return {
    release,
    input: `sha256:${sha256(input)}`,
    variables: `sha256:${sha256(canonicalJson(variables))}`,
    sdk: `sha256:${sha256(await readFile(sdkPath))}`,
    node: process.version,
    engine,
  };
}
