import { z } from 'zod';
import type { Json } from '../core/index.ts';

export const json: z.ZodType<Json> = z.json();
export const jsonObject = z.record(z.string(), json);
