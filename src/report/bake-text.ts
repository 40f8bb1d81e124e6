import { counted } from '../domain/text/count-text.ts';
import type { BakeEvent } from '../ports/log-event.ts';

/**
 * Formats how many of the jobs that a verdict needs have ended. Empty if it needs none and none can
 * be listed.
 */
export function formatJobs({ finished, wanted }: Pick<BakeEvent, 'finished' | 'wanted'>): string {
  if (finished === undefined)
    return wanted === 0 ? '' : `none of ${counted(wanted, 'job')} is known`;
  return wanted === 0 ? counted(finished, 'job') : `${finished} of ${counted(wanted, 'job')}`;
}

/** Formats the last check of a bake as one sentence, without a full stop. */
export function formatBake(seen: Omit<BakeEvent, 'kind'>): string {
  const jobs = formatJobs(seen);
  const verdict = seen.verdict === 'watching' ? 'is baking' : `was found ${seen.verdict}`;
  const after = seen.finished === undefined ? `, ${jobs}` : ` after ${jobs}`;
  return `${seen.shard} ${verdict}${jobs === '' ? '' : after}: ${seen.reason}`;
}
