import type { z } from 'zod';

/** What one of an adapter's readers takes from the answer to a call. */
export interface ReadAnswer {
  /** `GET /runners/:id/jobs` */
  readonly call: string;
  /** Who reads it, in a word or two. */
  readonly by: string;
  readonly schema: z.ZodType;
  /** Only answers to questions with one of these in `?status=`. */
  readonly statuses?: readonly string[];
}
