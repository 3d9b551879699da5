import type { Manifest } from '../contract/index.ts';
import { LabError, limits, type Json } from '../core/index.ts';
import { jsonErrorPlace } from './compiler.ts';
import { manifestName } from './manifest-file.ts';
import { compileSchema } from './schema-check.ts';

/**
 * The value of a run's input, given as JSON text. Throws `too-large` over `limits.inputBytes`, and `invalid-input` for
 * what is no JSON or does not meet the manifest's `input_schema`, naming each place.
 */
export async function checkInput(manifest: Manifest, text: string): Promise<Json> {
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.inputBytes) {
    throw new LabError(
      'too-large',
      `the input has ${bytes} bytes; a run takes at most ${limits.inputBytes}`,
      'Store the data elsewhere and give the run its address.',
      { bytes, limit: limits.inputBytes },
    );
  }
  const value = await parse(text);
  if (manifest.input_schema === true) return value;
  const check = await compileSchema(
    manifest.input_schema,
    `"input_schema" of ${manifestName} (relay ${manifest.name})`,
  );
  const violations = check(value);
  if (violations.length === 0) return value;
  throw new LabError(
    'invalid-input',
    `the input does not meet the input_schema of relay ${manifest.name}: ${violations.slice(0, 10).join('; ')}`,
    'Correct the input.',
    { violations },
  );
}

async function parse(text: string): Promise<Json> {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const why = (await jsonErrorPlace(text, 'input')) ?? String(error);
    throw new LabError(
      'invalid-input',
      `the input is not JSON: ${why}`,
      'Give JSON, for example \'{"text":"hello"}\'.',
    );
  }
}
