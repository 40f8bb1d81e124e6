import { z } from 'zod';
import type { Lock } from '../domain/lock.ts';
import type { Parameter } from '../ports/parameters.ts';

const lockSchema = z.object({
  deployment: z.string(),
  job: z.string(),
  since: z.string(),
  process: z.string(),
  nonce: z.string(),
});

/** Undefined for what is absent or cannot be read. */
export function parseLock(parameter: Parameter | undefined): Lock | undefined {
  if (parameter === undefined) return undefined;
  try {
    return lockSchema.parse(JSON.parse(parameter.value));
  } catch {
    return undefined;
  }
}
