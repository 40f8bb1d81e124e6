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

/** Whether a customer's job submitted now would be run by this shard. */
export type Service =
  | { readonly kind: 'proven'; readonly reason: string; readonly ageMs: number }
  /** It takes no customer's job, by its own registration: paused, in quarantine, or none. */
  | {
      readonly kind: 'closed';
      readonly reason: string;
      /** There is nothing that could be opened. */
      readonly absent?: true;
    }
  /** It cannot take a job, whatever its registration says. */
  | {
      readonly kind: 'disproven';
      readonly reason: string;
      /** Its registration was read, and is open all the same. */
      readonly open?: true;
      /** No machine of it is left: nothing that a person could start again. */
      readonly gone?: true;
    }
  /** Not bad and not good; `missing` is the proof that would tell. */
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly missing: string;
      /** Its registration was read, and is open. */
      readonly open: boolean;
      /** Something was seen that speaks against it: refused requests, or a silence of hours. */
      readonly against: boolean;
      /** Somebody who would tell did not answer this time. */
      readonly passing?: true;
      /** No machine of it is left that could take a canary. */
      readonly ended?: true;
    };

/** Of a shard about which somebody who was asked has said nothing. */
export function unansweredService(reason: string): Service {
  return { kind: 'unknown', reason, missing: 'an answer', open: false, against: false };
}

/** A request answered longer ago says nothing of now: an idle runner asks at least once a minute. */
export const requestWithinMs = 300_000;
/** A host that may be asked and is silent may have ended since: what began there longer ago says little. */
const unansweredWithinMs = 60_000;
/** GitLab itself calls a runner offline then. */
export const unansweredLimitMs = 7_200_000;

export function judgeService(look: ServiceObservation, rules: ServiceRules): Service {
  const { registration, hosts } = look;
  const ended = whyEnded(look);
  if (ended !== undefined)
    return {
      kind: 'disproven',
      reason: ended,
      ...(registration.kind === 'open' ? { open: true } : {}),
      ...(hosts.kind === 'gone' ? { gone: true } : {}),
    };
  if (registration.kind === 'none')
    return { kind: 'closed', reason: describeRegistration(look, rules), absent: true };
  if (registration.kind === 'closed')
    return { kind: 'closed', reason: describeRegistration(look, rules) };
  if (registration.kind === 'unknown')
    return {
      kind: 'unknown',
      reason: `the registration of ${look.shard} could not be read: ${registration.reason}`,
      missing: `the word of ${rules.words.registry}`,
      open: false,
      against: false,
    };
  const processes = hosts.kind === 'seen' ? hosts.processes : [];
  const refused = processes.filter((one) => one.refused).map((one) => one.host);
  const speaks = processes.some(({ state }) => state === 'runs');
  const sign = youngest(look.work.filter((one) => counts(one, { speaks, look, rules })));
  if (sign !== undefined && refused.length === 0) {
    const process = speaks ? ', a process of it runs' : '';
    return {
      kind: 'proven',
      reason: `${describeRegistration(look, rules)}${process}, and ${sign.what} ${age(sign)}`,
      ageMs: Math.round(sign.ageMs),
    };
  }
  return {
    kind: 'unknown',
    reason: doubt(look, refused, rules),
    missing: missing(look, rules),
    open: true,
    against:
      refused.length > 0 ||
      hosts.kind === 'ended' ||
      (registration.contactAgeMs ?? 0) > unansweredLimitMs,
    ...(hosts.kind === 'ended' ? { ended: true } : {}),
  };
}

/**
 * Without a host that says that its process runs, only what happened a moment ago tells of now; and only
 * where somebody is silent who may have done it, and may do it again.
 */
function counts(
  sign: WorkSign,
  { speaks, look, rules }: { speaks: boolean; look: ServiceObservation; rules: ServiceRules },
): boolean {
  const { hosts } = look;
  if (sign.ageMs < 0 || hosts.kind === 'ended' || sign.elsewhere === 'ended') return false;
  const isAnswered = (speaks && sign.elsewhere === undefined) || hosts.kind === 'not_asked';
  const isTold = hosts.kind === 'seen' && hosts.processes.every(({ state }) => state !== 'silent');
  if (!isAnswered && isTold) return false;
  const withinMs = isAnswered ? requestWithinMs : unansweredWithinMs;
  if (sign.kind === 'request' || !isAnswered)
    return sign.ageMs <= Math.min(withinMs, rules.evidenceMaxAgeMs);
  return sign.ageMs <= rules.evidenceMaxAgeMs;
}

function whyEnded({ shard, hosts }: ServiceObservation): string | undefined {
  if (hosts.kind === 'gone') return `no machine of ${shard} exists any more: ${hosts.reason}`;
  if (hosts.kind !== 'seen' || hosts.processes.length === 0) return undefined;
  if (!hosts.processes.every(({ state }) => state === 'ended')) return undefined;
  const listed = hosts.processes.map(({ host, detail }) => `${host}: ${detail}`).join(', ');
  return `every runner process of ${shard} has ended (${listed})`;
}
