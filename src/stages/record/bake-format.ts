import { z } from 'zod';
import type { BakeNote } from '../../domain/bake/bake-note.ts';

const when = z.iso.datetime({ offset: true });

export const bakeSchema = z.strictObject({
  since: when,
  for_ms: z.number().int().min(0),
  until: when,
  ended: z
    .strictObject({
      verdict: z.enum(['healthy', 'unhealthy', 'inconclusive']),
      at: when,
      why: z.string(),
    })
    .optional(),
});

export const autoRollbackSchema = z.strictObject({
  id: z.string().min(1),
  at: when,
  why: z.string(),
});

type Stored = z.infer<typeof bakeSchema>;

export function storedBake({ since, forMs, until, ended }: BakeNote): Stored {
  return { since, for_ms: forMs, until, ...(ended === undefined ? {} : { ended }) };
}

export function bakeFromStored({ since, for_ms: forMs, until, ended }: Stored): BakeNote {
  return { since, forMs, until, ...(ended === undefined ? {} : { ended }) };
}
