import {
  age,
  describeRegistration,
  doubt,
  missing,
  type ServiceObservation,
  type ServiceRules,
  type WorkSign,
  youngest,
} from './service-observation.ts';

/** Whether this shard would run a customer job that is submitted now. */
export type Service =
  | { readonly kind: 'proven'; readonly reason: string; readonly ageMs: number }
  /** Accepts no customer job: its runner is paused, in quarantine, or absent. */
  | {
      readonly kind: 'closed';
      readonly reason: string;
      /** No runner exists that could be unpaused. */
      readonly absent?: true;
    }
  /** Cannot accept a job, whatever the state of its runner. */
  | {
      readonly kind: 'disproven';
      readonly reason: string;
      /** The runner was read and is unpaused nevertheless. */
      readonly open?: true;
      /** No machine is left that an operator could start again. */
      readonly gone?: true;
    }
  /** Undecided; `missing` names the proof that would decide. */
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly missing: string;
      /** The runner was read and is unpaused. */
      readonly open: boolean;
      /** Evidence against the shard exists: refused requests, or hours without contact. */
      readonly against: boolean;
      /** A source that could decide did not respond this time. */
      readonly passing?: true;
      /** No machine is left that could run a canary. */
      readonly ended?: true;
    };

/** Returns the verdict on a shard whose sources did not respond. */
export function unansweredService(reason: string): Service {
  return { kind: 'unknown', reason, missing: 'a response', open: false, against: false };
}

/** Maximum age of an answered request: an idle runner sends one at least every minute. */
export const requestWithinMs = 300_000;
/** Maximum age of a job start if the host does not respond: it may have ended since. */
const unansweredWithinMs = 60_000;
/** Time without contact after which GitLab reports a runner as offline. */
export const unansweredLimitMs = 7_200_000;

export function judgeService(observation: ServiceObservation, rules: ServiceRules): Service {
  const { registration, hosts } = observation;
  const ended = whyEnded(observation);
  if (ended !== undefined)
    return {
      kind: 'disproven',
      reason: ended,
      ...(registration.kind === 'open' ? { open: true } : {}),
      ...(hosts.kind === 'gone' ? { gone: true } : {}),
    };
  if (registration.kind === 'none')
    return { kind: 'closed', reason: describeRegistration(observation, rules), absent: true };
  if (registration.kind === 'closed')
    return { kind: 'closed', reason: describeRegistration(observation, rules) };
  if (registration.kind === 'unknown')
    return {
      kind: 'unknown',
      reason: `the ${rules.words.registration} of ${observation.shard} could not be read: ${registration.reason}`,
      missing: `a response from ${rules.words.registry}`,
      open: false,
      against: false,
    };
  const processes = hosts.kind === 'seen' ? hosts.processes : [];
  const refused = processes.filter((one) => one.refused).map((one) => one.host);
  const speaks = processes.some(({ state }) => state === 'runs');
  const sign = youngest(
    observation.work.filter((one) => counts(one, { speaks, observation, rules })),
  );
  if (sign !== undefined && refused.length === 0) {
    const process = speaks ? ', its process runs' : '';
    return {
      kind: 'proven',
      reason: `${describeRegistration(observation, rules)}${process}, and ${sign.what} ${age(sign)}`,
      ageMs: Math.round(sign.ageMs),
    };
  }
  return {
    kind: 'unknown',
    reason: doubt(observation, refused, rules),
    missing: missing(observation, rules),
    open: true,
    against:
      refused.length > 0 ||
      hosts.kind === 'ended' ||
      (registration.contactAgeMs ?? 0) > unansweredLimitMs,
    ...(hosts.kind === 'ended' ? { ended: true } : {}),
  };
}

/**
 * Decides whether a sign of work counts. Without a host that reports a running process, only a
 * recent sign counts, and only if a host without a response may have caused it.
 */
function counts(
  sign: WorkSign,
  {
    speaks,
    observation,
    rules,
  }: { speaks: boolean; observation: ServiceObservation; rules: ServiceRules },
): boolean {
  const { hosts } = observation;
  if (sign.ageMs < 0 || hosts.kind === 'ended' || sign.elsewhere === 'ended') return false;
  const isAnswered = (speaks && sign.elsewhere === undefined) || hosts.kind === 'not_asked';
  const isReported =
    hosts.kind === 'seen' && hosts.processes.every(({ state }) => state !== 'silent');
  if (!isAnswered && isReported) return false;
  const withinMs = isAnswered ? requestWithinMs : unansweredWithinMs;
  if (sign.kind === 'request' || !isAnswered)
    return sign.ageMs <= Math.min(withinMs, rules.evidenceMaxAgeMs);
  return sign.ageMs <= rules.evidenceMaxAgeMs;
}

function whyEnded({ shard, hosts }: ServiceObservation): string | undefined {
  if (hosts.kind === 'gone') return `no machine of ${shard} exists: ${hosts.reason}`;
  if (hosts.kind !== 'seen' || hosts.processes.length === 0) return undefined;
  if (!hosts.processes.every(({ state }) => state === 'ended')) return undefined;
  const listed = hosts.processes.map(({ host, detail }) => `${host}: ${detail}`).join(', ');
  return `every runner process of ${shard} has ended (${listed})`;
}
