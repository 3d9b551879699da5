import { z } from 'zod';
import { errorClasses, type ErrorCode, type LabErrorData, type WireError } from '../core/index.ts';
import { json, jsonObject } from './json-schema.ts';

export const wireError: z.ZodType<WireError> = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    message: z.string(),
    stack: z.string().nullable(),
    code: z.union([z.string(), z.number()]).nullable(),
    fields: jsonObject,
    cause: wireError.nullable(),
  }),
);

export const labErrorData = z.strictObject({
  code: z.enum(Object.keys(errorClasses) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  next: z.string(),
  facts: z.record(z.string(), json),
}) satisfies z.ZodType<LabErrorData>;
