import type { RegistryTerms } from '../registry-terms.ts';
import { formatDuration } from '../text/duration.ts';

/** `unknown`: nobody says. It is neither an end nor a promise that there is none. */
export type VersionExpiry =
  | { readonly kind: 'ends'; readonly at: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly detail: string };

const dayMs = 86_400_000;
/** A fleet is built weekly as a rule: three chances to build it anew. */
const warnMs = 21 * dayMs;
/** What is built now has to last until the next deployment. */
const refuseMs = 7 * dayMs;

export type VersionExpiryVerdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'soon' | 'too_soon' | 'over'; readonly text: string };

/**
 * From the day on GitHub gives such a runner no job: it registers, listens, and is refused, and jobs
 * queue for a day and fail. With `--disableupdate` nothing changes it but hosts that are built anew.
 */
export function judgeVersionExpiry({
  version,
  ending,
  nowMs,
  words,
}: {
  readonly version: string;
  readonly ending: VersionExpiry;
  readonly nowMs: number;
  readonly words: RegistryTerms;
}): VersionExpiryVerdict {
  if (ending.kind !== 'ends') return { kind: 'fine' };
  const leftMs = Date.parse(ending.at) - nowMs;
  if (Number.isNaN(leftMs) || leftMs > warnMs) return { kind: 'fine' };
  const day = ending.at.slice(0, 10);
  const who = `${words.program} ${version}`;
  if (leftMs <= 0) {
    const text = `${words.registry} gives ${who} no job any more since ${day}`;
    return { kind: 'over', text };
  }
  const text = `${words.registry} gives ${who} no job any more from ${day} on, in ${formatDuration(leftMs)}`;
  return { kind: leftMs <= refuseMs ? 'too_soon' : 'soon', text };
}
