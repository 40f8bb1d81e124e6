import { withoutPauseMark } from '../drain/pause-mark.ts';
import type { Registration } from '../registration.ts';
import type { RegistryTerms } from '../registry-terms.ts';
import type { DeploymentRecord, ShardEntry } from './record.ts';

/** Required action for the candidate's runner and token. */
export type Onboarding =
  | { readonly kind: 'create'; readonly remove: readonly Registration[]; readonly reason: string }
  | {
      readonly kind: 'keep';
      readonly registration: Registration;
      readonly remove: readonly Registration[];
      readonly reason: string;
    }
  | {
      readonly kind: 'reset_token';
      readonly registration: Registration;
      readonly remove: readonly Registration[];
      readonly reason: string;
    }
  | {
      readonly kind: 'refuse';
      readonly code: OnboardingRefusal;
      readonly reason: string;
    };

export type OnboardingRefusal = 'TokenLost' | 'DuplicateRegistrations' | 'ForeignRegistration';

export interface OnboardingFacts {
  readonly words: RegistryTerms;
  readonly entry: ShardEntry;
  /** All runners with the shard's description. */
  readonly registrations: readonly Registration[];
  readonly tokenPresent: boolean;
  /** Whether tokens expire: hosts that have not booted yet then need a new one. */
  readonly tokensExpire?: boolean;
  /** Whether the stored token has expired: no host can use it any more. */
  readonly tokenEnded?: boolean;
  /** Identifies runners of hosted-runner by their note. */
  readonly hasOwnMark: (registration: Registration) => boolean;
}

export function planOnboarding(facts: OnboardingFacts): Onboarding {
  const { entry, registrations, tokenPresent, hasOwnMark, words } = facts;
  const recorded = registrations.find(({ id }) => id === entry.registration);
  const foreign = registrations.filter((one) => one !== recorded && !hasOwnMark(one));
  if (foreign[0] !== undefined) {
    return refuse(
      'ForeignRegistration',
      `${words.registration} ${foreign[0].id} was not created by hosted-runner, and has the description of the candidate's runner`,
    );
  }
  const contacted = registrations.filter(
    (one) => one.contacted || (one === recorded && entry.contacted === true),
  );
  if (contacted.length > 1) {
    const ids = contacted.map(({ id }) => id).join(' and ');
    return refuse(
      'DuplicateRegistrations',
      `${words.registration}s ${ids} both have the candidate's description, and ${words.managers} of both have contacted ${words.registry}`,
    );
  }
  const kept = contacted[0] ?? recorded ?? registrations[0];
  const remove = registrations.filter((one) => one !== kept);
  if (kept === undefined) {
    return {
      kind: 'create',
      remove,
      reason:
        entry.registration === undefined
          ? `it had no ${words.registration}`
          : `${words.registration} ${entry.registration} no longer exists`,
    };
  }
  if (facts.tokensExpire === true) {
    return {
      kind: 'reset_token',
      registration: kept,
      remove,
      reason: 'a registration token expires after an hour',
    };
  }
  if (facts.tokenEnded === true)
    return withoutUsableToken({ kept, remove, isUsed: contacted.includes(kept), words });
  if (tokenPresent && entry.tokenWritten && entry.registration === kept.id) {
    return {
      kind: 'keep',
      registration: kept,
      remove,
      reason: `${words.registration} ${kept.id} and its token exist`,
    };
  }
  if (!contacted.includes(kept)) {
    return {
      kind: 'reset_token',
      registration: kept,
      remove,
      reason: `the token of ${words.registration} ${kept.id} is lost and no ${words.manager} has used it`,
    };
  }
  if (tokenPresent) {
    // A manager with a contact can only have read its token from Parameter Store.
    return {
      kind: 'keep',
      registration: kept,
      remove,
      reason: `a ${words.manager} of ${words.registration} ${kept.id} has contacted ${words.registry} with the stored token`,
    };
  }
  return refuse(
    'TokenLost',
    `a ${words.manager} uses the token of ${words.registration} ${kept.id}, but Parameter Store no longer has it`,
  );
}

/** Replaces the token if no host has used it. A host that has used it cannot get another. */
function withoutUsableToken({
  kept,
  remove,
  isUsed,
  words,
}: {
  kept: Registration;
  remove: readonly Registration[];
  isUsed: boolean;
  words: RegistryTerms;
}): Onboarding {
  const token = `the token of ${words.registration} ${kept.id}`;
  if (isUsed) return refuse('TokenLost', `${token}, which a ${words.manager} uses, has expired`);
  const reason = `${token} has expired before any ${words.manager} used it`;
  return { kind: 'reset_token', registration: kept, remove, reason };
}

function refuse(code: OnboardingRefusal, reason: string): Onboarding {
  return { kind: 'refuse', code, reason };
}

const markPrefix = 'hosted-runner-deploy';

/**
 * Returns the mark for a runner's note: it identifies runners of hosted-runner without a record.
 */
export function registrationMark(deploymentId: string): string {
  return `${markPrefix} deployment=${deploymentId}`;
}

export function hasRegistrationMark(note: string): boolean {
  return note.startsWith(`${markPrefix} `);
}

/**
 * Returns whether a recorded deployment created the runner: two accounts may share a group and a
 * runner name.
 */
export function isMadeByOneOf(
  { deployment, history }: Pick<DeploymentRecord, 'deployment' | 'history'>,
  { note }: Pick<Registration, 'note'>,
): boolean {
  const made = withoutPauseMark(note);
  return [deployment, ...history].some(({ id }) => made === registrationMark(id));
}

/**
 * Returns whether hosted-runner created the runner and no host has its token: the request arrived
 * twice, or the run ended before the record stored it.
 */
export function isTwin({ contacted, note }: Pick<Registration, 'contacted' | 'note'>): boolean {
  return !contacted && hasRegistrationMark(note);
}
