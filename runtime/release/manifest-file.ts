import { posix } from 'node:path';
import { describeIssues, manifest as manifestSchema, type Manifest } from '../contract/index.ts';
import { LabError } from '../core/index.ts';
import { jsonErrorPlace } from './compiler.ts';
import { publishFailed } from './release-error.ts';

/** The manifest's name in a relay folder. */
export const manifestName = 'relay.json';

/**
 * The manifest of a relay folder's files, checked, with `entry` normalised. Throws `publish-failed` naming file, place,
 * key, value and what was expected, and `not-supported` for a runtime that this version has not.
 */
export async function readManifest(folder: string, files: ReadonlyMap<string, Buffer>): Promise<Manifest> {
  const bytes = files.get(manifestName);
  if (bytes === undefined) throw noManifest(folder);
  const manifest = parseManifest(await parseJson(bytes.toString('utf8')));
  if (manifest.relay_runtime !== 'node') {
    throw new LabError(
      'not-supported',
      `${manifestName}: "relay_runtime" is "${manifest.relay_runtime}"; this version runs node relays only`,
      'Set "relay_runtime" to "node".',
    );
  }
  if (!files.has(manifest.entry)) {
    throw publishFailed(
      `${manifestName}: "entry" is ${JSON.stringify(manifest.entry)}, but there is no such file in ${folder} (names with a leading dot and node_modules do not count)`,
      'Write the path of the file that exports run, relative to the relay folder.',
    );
  }
  return manifest;
}

export function noManifest(folder: string): LabError {
  return publishFailed(
    `${folder} has no ${manifestName}, so it is no relay`,
    `Give the folder of a relay, or write a ${manifestName} with kind, relay_runtime, relay_durability, name and entry.`,
  );
}

function parseManifest(value: unknown): Manifest {
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return { ...parsed.data, entry: posix.normalize(parsed.data.entry) };
  const issues = describeIssues(parsed.error.issues, value);
  throw publishFailed(
    `${manifestName} cannot be used: ${issues.join('; ')}`,
    `Correct ${manifestName} and start again.`,
    {
      issues,
    },
  );
}

async function parseJson(text: string): Promise<unknown> {
  const plain = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(plain) as unknown;
  } catch (error) {
    const place = await jsonErrorPlace(plain, manifestName);
    const what = place ?? `${manifestName}: ${error instanceof Error ? error.message : String(error)}`;
    throw publishFailed(`${manifestName} is not JSON: ${what}`, `Correct ${manifestName} and start again.`);
  }
}

/** The manifest that a release froze. Its bytes are covered by the release's hash, so it was checked when published. */
export function frozenManifest(bytes: Buffer): Manifest {
  return parseManifest(JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')));
}
