import type { RegistryTerms } from '../registry-terms.ts';
import type { RegistrationId } from '../shard.ts';
import { formatDuration } from '../text/duration.ts';

/**
 * Expiry of a token. `unknown`: not reported, or not to this token; neither an expiry nor proof of
 * none.
 */
export type TokenExpiry =
  | { readonly kind: 'ends'; readonly at: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

const dayMs = 86_400_000;
/** Time of the warning: with weekly deployments, two of them can still renew the token. */
const warnMs = 14 * dayMs;

export type TokenExpiryVerdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'soon' | 'over'; readonly text: string };

/**
 * Warns of an expiring token: after it, the registry refuses every manager, while running jobs
 * finish.
 */
export function judgeTokenExpiry({
  id,
  endsAt,
  nowMs,
  words,
}: {
  readonly id: RegistrationId;
  /** ISO 8601. */
  readonly endsAt: string | undefined;
  readonly nowMs: number;
  readonly words: RegistryTerms;
}): TokenExpiryVerdict {
  const leftMs = Date.parse(endsAt ?? '') - nowMs;
  if (Number.isNaN(leftMs) || leftMs > warnMs) return { kind: 'fine' };
  const token = `the token of ${words.registration} ${id}`;
  const minute = `${endsAt?.slice(0, 16).replace('T', ' ')} UTC`;
  if (leftMs <= 0)
    return { kind: 'over', text: `${words.registry} has refused ${token} since ${minute}` };
  const left = formatDuration(leftMs);
  return {
    kind: 'soon',
    text: `${words.registry} refuses ${token} from ${minute} on (in ${left})`,
  };
}
