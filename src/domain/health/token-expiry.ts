import type { RegistryTerms } from '../registry-terms.ts';
import type { RegistrationId } from '../shard.ts';
import { formatDuration } from '../text/duration.ts';

/** `unknown`: nobody says, or not to us. It is neither an end nor a promise that there is none. */
export type TokenExpiry =
  | { readonly kind: 'ends'; readonly at: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

const dayMs = 86_400_000;
/** A fleet is built weekly as a rule: two chances to build it anew. */
const warnMs = 14 * dayMs;

export type TokenExpiryVerdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'soon' | 'over'; readonly text: string };

/** From the day on the registry refuses every manager of the runner; jobs that run then still end well. */
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
  const who = `${words.registry} takes the token of ${words.registration} ${id} no more`;
  const minute = `${endsAt?.slice(0, 16).replace('T', ' ')} UTC`;
  if (leftMs <= 0) return { kind: 'over', text: `${who} since ${minute}` };
  return { kind: 'soon', text: `${who} from ${minute} on, in ${formatDuration(leftMs)}` };
}
