import type { RecoveryMethod } from '../domain/deployment/recovery-methods.ts';
import type { Diagnosis } from '../domain/health/diagnosis.ts';
import { capital } from '../domain/text/capital.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError } from './deploy-error.ts';
import { forceRemovalLines } from './recovery-lines.ts';

const mostFixes = 3;

export function healthcheckTimedOut(facts: {
  runner: string;
  candidate: string;
  within: string;
  checks: number;
  /** What was seen decided it before the limit. */
  isSettled?: boolean;
  reasons: readonly string[];
  diagnoses: readonly Diagnosis[];
  /** What its last apply did, if that is no reason for another try: `changed nothing`. */
  noChange: string | undefined;
  inARow: number;
  /** Rungs of recovery that would be accepted now; no other is printed. */
  openMethods: readonly RecoveryMethod[];
  /** Whether it is the shard that customers use: nothing of it is built anew. */
  isActive?: boolean;
  /** What of it still takes customers' jobs, such as `runner 48002`. */
  open?: string;
  /** The canary that ran on the candidate and failed there so often that waiting on is no use. */
  canary?: { readonly failures: number; readonly url: string } | undefined;
  /** The shard that serves, where a person has named the unhealthy one active before it was proven. */
  serving?: string | undefined;
  /** Where no shard serves: the one that may be taken all the same. */
  wayOut?: string | undefined;
}): DeployError {
  const { runner } = facts;
  const rerun = { say: 'Run it again', again: 'provision', runner };
  const openMethods = facts.openMethods.flatMap((method) => formatMethod(runner, method));
  const look = { say: 'Look at everything', command: 'doctor', runner };
  const [cause] = facts.diagnoses;
  // Where provision itself mends what was diagnosed, an apply without changes says nothing.
  const isMendedByRerun = cause?.mendedBy === 'provision';
  const isLasting = cause?.time === 'cannot_help';
  const isRerunFutile = (facts.noChange !== undefined || isLasting) && !isMendedByRerun;
  const lastResort =
    isLasting && facts.noChange === undefined
      ? { ...rerun, say: 'When the cause is mended' }
      : look;
  const again =
    facts.noChange !== undefined
      ? [
          `The last apply ${facts.noChange}: running it again cannot help${isMendedByRerun ? ' before that is mended' : ''}.`,
        ]
      : [];
  const rollbackHint = {
    say: `Make ${facts.serving}, which serves, active again`,
    command: 'activate',
    runner,
    more: inShell`--shard ${facts.serving ?? []}`,
  };
  const usual =
    isRerunFutile || (facts.inARow >= 2 && !isMendedByRerun)
      ? [...openMethods.slice(0, 2), ...(openMethods.length === 0 ? [lastResort] : [])]
      : [rerun, ...openMethods.slice(0, 1)];
  // Where nothing serves no apply is made before something is taken away: running it again waits in vain.
  const ofCandidate =
    facts.wayOut === undefined ? usual : [...forceRemovalLines(runner, facts.wayOut, true), look];
  // Neither is allowed to touch the shard that the status names.
  const ofInactive = facts.serving === undefined ? ofCandidate : [rollbackHint];
  const commands = facts.isActive === true ? [look] : ofInactive;
  return new DeployError({
    // A canary that failed has ended the healthcheck before its limit.
    code: facts.canary === undefined ? 'HealthcheckTimedOut' : 'CanaryFailed',
    what: describeVerdict(facts),
    why: [...facts.reasons.map((reason) => `${capital(reason)}.`), ...again],
    fix: [
      ...pauseNow(facts.open),
      ...(cause?.acts ?? []).map((act) => `${act}.`),
      ...commands,
    ].slice(0, mostFixes),
  });
}

type VerdictFacts = Parameters<typeof healthcheckTimedOut>[0];

/** Only what was waited for has timed out. */
function describeVerdict({ candidate, canary, checks, within, isSettled }: VerdictFacts): string {
  if (canary !== undefined)
    return `The canary failed ${canary.failures} times on ${candidate}, the last time in ${canary.url} (${checks} checks).`;
  return isSettled === true
    ? `${candidate} is unhealthy, and waiting longer cannot change that (${checks} checks).`
    : `${candidate} did not become healthy within ${within} (${checks} checks).`;
}

/** Said first: nothing of ours closes what a person has opened. */
export function pauseNow(open: string | undefined): readonly string[] {
  return open === undefined ? [] : [`Pause ${open} now, unless its jobs succeed: it stays open.`];
}

function formatMethod(runner: string, method: RecoveryMethod): readonly Line[] {
  const does = {
    cleanup: 'Remove the candidate',
    replace: 'Build its manager anew',
    terminate: 'End its instance',
  };
  if (method === 'rerun') return [];
  return [
    {
      say: `${does[method]}, then provision`,
      command: 'recover',
      runner,
      more: inShell`--method ${method}`,
      wantsYes: true,
    },
  ];
}

/** By one look, or by the endpoint that looks all the time. */
export function notHealthy(facts: {
  runner: string;
  shard: string;
  status: string;
  reasons: readonly string[];
}): DeployError {
  return new DeployError({
    code: 'NotHealthy',
    what: `${facts.shard} is ${facts.status}, by one look.`,
    why: facts.reasons.map((reason) => `${capital(reason)}.`),
    now: 'Nothing was touched.',
    fix: [
      {
        say: 'Collect evidence until there is a verdict',
        command: 'healthcheck',
        runner: facts.runner,
      },
    ],
  });
}

export function endpointTimedOut({
  url,
  reason,
  runner,
  address,
}: {
  url: string;
  reason: string;
  runner: string;
  /** Where it was expected, as it is typed. */
  address: string;
}): DeployError {
  return new DeployError({
    code: 'EndpointSilent',
    what: `Nothing tells at ${url} whether the shard is healthy (${reason}).`,
    now: 'Nothing was touched.',
    fix: [{ say: 'Start it', command: 'healthcheck', runner, more: inShell`--listen ${address}` }],
  });
}

export function addressTaken({
  address,
  reason,
  anyPort,
}: {
  address: string;
  reason: string;
  /** The same command, at any free port. */
  anyPort: string;
}): DeployError {
  return new DeployError({
    code: 'AddressTaken',
    what: `${address} cannot be listened on (${reason}).`,
    now: 'Nothing was started.',
    fix: [`Let it take any free port: ${anyPort}`],
  });
}
