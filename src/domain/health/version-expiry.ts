import type { RegistryTerms } from '../registry-terms.ts';
import { formatDuration } from '../text/duration.ts';

/** Expiry of a version. `unknown`: not reported; neither an expiry nor proof of none. */
export type VersionExpiry =
  | { readonly kind: 'ends'; readonly at: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly detail: string };

const dayMs = 86_400_000;
/** Time of the warning: with weekly deployments, three of them can still replace the version. */
const warnMs = 21 * dayMs;
/** A new shard must last until the next deployment. */
const refuseMs = 7 * dayMs;

export type VersionExpiryVerdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'soon' | 'too_soon' | 'over'; readonly text: string };

/**
 * Warns of an expiring version: after it, GitHub assigns such a runner no job. It still registers
 * and listens, and its jobs queue for a day and fail. With `--disableupdate`, only rebuilt hosts
 * get another version.
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
    const text = `${words.registry} has given ${who} no jobs since ${day}`;
    return { kind: 'over', text };
  }
  const text = `${words.registry} gives ${who} no jobs from ${day} on (in ${formatDuration(leftMs)})`;
  return { kind: leftMs <= refuseMs ? 'too_soon' : 'soon', text };
}
