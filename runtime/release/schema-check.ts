import type { ErrorObject } from 'ajv';
import { LabError, type Json, type JsonObject } from '../core/index.ts';

/** Checks a value: one phrase a violation, each with its place in the value; empty when there is none. */
type SchemaCheck = (value: Json) => string[];

/**
 * Compiles a JSON Schema: draft-07 when its `$schema` says so, else 2020-12. Formats are not checked. Throws
 * `invalid-input` naming `what` and the place in the schema that is wrong.
 */
export async function compileSchema(schema: JsonObject | boolean, what: string): Promise<SchemaCheck> {
  const { Ajv } = isDraft7(schema) ? await import('ajv') : { Ajv: (await import('ajv/dist/2020.js')).Ajv2020 };
  const ajv = new Ajv({ allErrors: true, strict: false, logger: false, validateFormats: false });
  if (ajv.validateSchema(schema) !== true) {
    throw unusable(what, (ajv.errors ?? []).map(describeError).slice(0, 5).join('; '));
  }
  try {
    const validate = ajv.compile(schema);
    return (value) => (validate(value) ? [] : (validate.errors ?? []).map(describeError));
  } catch (error) {
    throw unusable(what, error instanceof Error ? error.message : String(error));
  }
}

function isDraft7(schema: JsonObject | boolean): boolean {
  return typeof schema === 'object' && typeof schema['$schema'] === 'string' && schema['$schema'].includes('draft-07');
}

function describeError({ instancePath, message, params }: ErrorObject): string {
  const place = instancePath === '' ? 'the whole value' : instancePath;
  const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: unknown[] };
  const detail =
    additionalProperty !== undefined
      ? ` (${JSON.stringify(additionalProperty)})`
      : allowedValues !== undefined
        ? ` (${allowedValues.map((value) => JSON.stringify(value)).join(', ')})`
        : '';
  return `${place} ${message ?? 'is wrong'}${detail}`;
}

function unusable(what: string, why: string): LabError {
  return new LabError('invalid-input', `${what} is no JSON Schema that can be used: ${why}`, 'Correct the schema.');
}
