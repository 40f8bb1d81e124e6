import { counted } from '../domain/text/count-text.ts';
import type { BakeEvent } from '../ports/log-event.ts';

/** How many of the jobs that a verdict wants have ended; empty where none is wanted and none can be listed. */
export function formatJobs({ finished, wanted }: Pick<BakeEvent, 'finished' | 'wanted'>): string {
  if (finished === undefined)
    return wanted === 0 ? '' : `of ${counted(wanted, 'job')} none is known`;
  return wanted === 0 ? counted(finished, 'job') : `${finished} of ${counted(wanted, 'job')}`;
}

/** The last look of a bake in one sentence, without its full stop. */
export function formatBake(seen: Omit<BakeEvent, 'kind'>): string {
  const jobs = formatJobs(seen);
  const verdict = seen.verdict === 'watching' ? 'is watched' : `was found ${seen.verdict}`;
  const after = seen.finished === undefined ? `, ${jobs}` : ` after ${jobs}`;
  return `${seen.shard} ${verdict}${jobs === '' ? '' : after}: ${seen.reason}`;
}
