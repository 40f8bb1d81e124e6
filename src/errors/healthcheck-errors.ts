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
  /** Whether an observation decided before the limit. */
  isSettled?: boolean;
  reasons: readonly string[];
  diagnoses: readonly Diagnosis[];
  /** Result of its last apply, if that does not justify another attempt: `changed nothing`. */
  noChange: string | undefined;
  inARow: number;
  /** Recovery methods that would be accepted now; no others are printed. */
  openMethods: readonly RecoveryMethod[];
  /** Whether customers use the shard: nothing of it is rebuilt. */
  isActive?: boolean;
  /** Part of it that still accepts customer jobs, such as `runner 48002`. */
  open?: string;
  /** The canary that failed on the candidate so often that waiting is useless. */
  canary?: { readonly failures: number; readonly url: string } | undefined;
  /**
   * The shard that accepts jobs, if an operator activated the unhealthy one before it was verified.
   */
  accepting?: string | undefined;
  /** If no shard accepts jobs: the shard that may be removed nevertheless. */
  removable?: string | undefined;
}): DeployError {
  const { runner } = facts;
  const rerun = { text: 'Run it again', again: 'provision', runner };
  const openMethods = facts.openMethods.flatMap((method) => formatMethod(runner, method));
  const doctor = { text: 'Diagnose the stack', command: 'doctor', runner };
  const [cause] = facts.diagnoses;
  // If `provision` fixes the diagnosed cause, an apply without changes means nothing.
  const isFixedByRerun = cause?.fixedBy === 'provision';
  const isLasting = cause?.time === 'cannot_help';
  const isRerunFutile = (facts.noChange !== undefined || isLasting) && !isFixedByRerun;
  const lastResort =
    isLasting && facts.noChange === undefined
      ? { ...rerun, text: 'When the cause is fixed' }
      : doctor;
  const again =
    facts.noChange !== undefined
      ? [
          `The last apply ${facts.noChange}, so another run cannot help${isFixedByRerun ? ' before the cause is fixed' : ''}.`,
        ]
      : [];
  const rollbackHint = {
    text: `Make ${facts.accepting}, which accepts jobs, active again`,
    command: 'activate',
    runner,
    more: inShell`--shard ${facts.accepting ?? []}`,
  };
  const usual =
    isRerunFutile || (facts.inARow >= 2 && !isFixedByRerun)
      ? [...openMethods.slice(0, 2), ...(openMethods.length === 0 ? [lastResort] : [])]
      : [rerun, ...openMethods.slice(0, 1)];
  // If no shard accepts jobs, no apply happens before a removal: running again would wait in vain.
  const ofCandidate =
    facts.removable === undefined
      ? usual
      : [...forceRemovalLines(runner, facts.removable, true), doctor];
  // Neither command may change the shard that the status names.
  const ofInactive = facts.accepting === undefined ? ofCandidate : [rollbackHint];
  const commands = facts.isActive === true ? [doctor] : ofInactive;
  return new DeployError({
    // A failed canary has ended the healthcheck before its limit.
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

/** Formats the verdict: only an awaited event can time out. */
function describeVerdict({ candidate, canary, checks, within, isSettled }: VerdictFacts): string {
  if (canary !== undefined)
    return `The canary failed ${canary.failures} times on ${candidate} (${checks} checks), the last time in ${canary.url}.`;
  return isSettled === true
    ? `${candidate} is unhealthy, and waiting longer cannot change that (${checks} checks).`
    : `${candidate} did not become healthy within ${withChecks(within, checks)}.`;
}

/** Joins both in one pair of brackets, if the time names its key. */
function withChecks(within: string, checks: number): string {
  return within.endsWith(')')
    ? `${within.slice(0, -1)}, ${checks} checks)`
    : `${within} (${checks} checks)`;
}

/** Warns first, because hosted-runner never pauses a runner that an operator unpaused. */
export function pauseNow(open: string | undefined): readonly string[] {
  return open === undefined
    ? []
    : [
        `Check the jobs of ${open} now. If they fail, pause ${open} yourself: hosted-runner does not.`,
      ];
}

function formatMethod(runner: string, method: RecoveryMethod): readonly Line[] {
  const does = {
    cleanup: 'Remove the candidate',
    replace: "Rebuild the candidate's manager",
    terminate: "Terminate the candidate's instance",
  };
  if (method === 'rerun') return [];
  return [
    {
      text: `${does[method]} and provision again`,
      command: 'recover',
      runner,
      more: inShell`--method ${method}`,
      wantsYes: true,
    },
  ];
}

/** Verdict of a single check, or of the endpoint that checks continuously. */
export function notHealthy(facts: {
  runner: string;
  shard: string;
  status: string;
  reasons: readonly string[];
}): DeployError {
  return new DeployError({
    code: 'NotHealthy',
    what: `A single check found that ${facts.shard} is ${facts.status}.`,
    why: facts.reasons.map((reason) => `${capital(reason)}.`),
    now: 'Nothing was touched.',
    fix: [
      {
        text: 'Check until there is a verdict',
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
  /** Expected address, as typed. */
  address: string;
}): DeployError {
  return new DeployError({
    code: 'EndpointSilent',
    what: `The endpoint ${url} does not report whether the shard is healthy (${reason}).`,
    now: 'Nothing was touched.',
    fix: [
      {
        text: 'Start the endpoint',
        command: 'healthcheck',
        runner,
        more: inShell`--listen ${address}`,
      },
    ],
  });
}

export function addressTaken({
  address,
  reason,
  anyPort,
}: {
  address: string;
  reason: string;
  /** The typed command, with any free port. */
  anyPort: string;
}): DeployError {
  return new DeployError({
    code: 'AddressTaken',
    what: `Cannot listen on ${address} (${reason}).`,
    now: 'Nothing was started.',
    fix: [`Use any free port: ${anyPort}`],
  });
}
