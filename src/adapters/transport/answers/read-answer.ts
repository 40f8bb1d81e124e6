import type { z } from 'zod';

/** Part of a response that one reader of an adapter uses. */
export interface ReadAnswer {
  /** Call such as `GET /runners/:id/jobs`. */
  readonly call: string;
  /** Name of the reader, in one or two words. */
  readonly by: string;
  readonly schema: z.ZodType;
  /** Limits the reader to requests with one of these in `?status=`. */
  readonly statuses?: readonly string[];
}
