import { credentialsToRenew } from '../domain/text/credential-renewal.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { isPortFailure, type PortFailure } from '../ports/failure.ts';
import { checkDocumentRefused, credentialsEnded, roleRefused } from './credential-errors.ts';
import { DeployError, isDeployError } from './deploy-error.ts';
import type { Typed } from './fix-line.ts';
import { checkProxy, clockFix, granularTokenFix, runnerLimit, trust } from './port-fixes.ts';

/** What the outside did to us. One code for each kind of failure. */
export function fromPortFailure(failure: PortFailure, again: string): DeployError {
  if (failure.refusedRole !== undefined) return roleRefused(failure, failure.refusedRole, again);
  if (failure.refusedDocument !== undefined)
    return checkDocumentRefused(failure, failure.refusedDocument, again);
  if (failure.kind === 'ended') return credentialsEnded(failure, again);
  // What stands before it has refused, and not it.
  const { code, phrase, fix } = kinds[failure.through === undefined ? failure.kind : 'unreachable'];
  if (failure.ground?.kind === 'runner_limit')
    return runnerLimit(failure.ground, { seen: `${failure.source}: "${failure.detail}"`, again });
  const mend =
    failure.lasting === 'untrusted_certificate'
      ? trust
      : (checkProxy(failure.through) ?? clockFix(failure) ?? granularTokenFix(failure) ?? fix);
  const unsure =
    failure.effect === 'unknown'
      ? ['Whether the request took effect is not known; the next run looks first.']
      : [];
  return new DeployError({
    code,
    what: `${failure.source} ${failure.ground?.kind === 'clock_off' ? 'does not accept the time of this request' : phrase}.`,
    why: [`"${failure.detail}"`, ...unsure],
    fix: mend.length === 0 ? [`Run it again: ${again}`] : [...mend, `Then run it again: ${again}`],
  });
}

/**
 * The same where it was waited for, and whoever comes next goes on: nothing has failed. A cause that no
 * later run finds gone is a failure.
 * @param isOld the deployment has made no progress for so long that no outage explains it
 */
export function noResponse(failure: PortFailure, again: string, isOld: boolean): DeployError {
  const error = fromPortFailure(failure, again);
  const isLasting = isOld || failure.lasting !== undefined;
  return new DeployError({ ...error.fields, exitCode: isLasting ? 1 : 75 });
}

/** 75: no operator ends it. A silence may as well be a wrong address or a firewall. */
const kinds = {
  unreachable: {
    code: 'Unreachable',
    phrase: 'gave no answer',
    fix: ['Check the address and the network between here and there.'],
  },
  unavailable: {
    code: 'Unavailable',
    phrase: 'answered that it cannot answer now',
    fix: [],
  },
  read_only: {
    code: 'ReadOnly',
    phrase: 'takes no writes now',
    fix: [
      'Wait until its maintenance is over: meanwhile no runner is given a job, and for up to an hour afterwards one may stay silent.',
    ],
  },
  throttled: {
    code: 'Throttled',
    phrase: 'asked us to slow down for longer than we may wait',
    fix: ['Wait as long as it asks above, or a few minutes if it names no time.'],
  },
  unauthenticated: {
    code: 'CredentialsRefused',
    phrase: 'does not accept the credentials',
    fix: [`Renew the credentials: ${credentialsToRenew}.`],
  },
  denied: {
    code: 'PermissionMissing',
    phrase: 'does not permit this call',
    fix: ['Grant what is named above; docs/use/permissions.md lists every call.'],
  },
  refused: { code: 'Refused', phrase: 'refused the request', fix: [] },
  unexpected: {
    code: 'UnexpectedAnswer',
    phrase: 'answered something that its documentation does not know',
    fix: ['Check that the address is the API itself and not a proxy or a login page.'],
  },
} as const;

export function gitlabTooOld(facts: { version: string; oldest: string }): DeployError {
  const { version, oldest } = facts;
  return new DeployError({
    code: 'GitLabTooOld',
    what: `GitLab is ${version}, and ${oldest} is the oldest that is supported; no shard was touched.`,
    why: [
      'Older ones answer in ways that were not read in their source, and a drain rests on them.',
    ],
    now: 'The shards are as they were: a deployment that is begun is finished at any version.',
    fix: [`Upgrade GitLab to ${oldest} or newer.`],
  });
}

export function wrongAccount(facts: {
  runner: string;
  found: { account: string; arn: string; region: string };
  expected: string;
}): DeployError {
  const { runner, found, expected } = facts;
  return new DeployError({
    code: 'WrongAccount',
    what: `The AWS credentials are of account ${found.account}, and ${runner} lives in ${expected}; no shard was touched.`,
    why: [`AWS says "${found.arn}", region ${found.region}.`],
    now: 'Nothing was asked of the stack: its parameters are in another account.',
    fix: [
      'Give the job the role of the right account, or the right AWS_PROFILE.',
      'If the stack has moved, change aws.account in hosted-runners.yml.',
    ],
  });
}

export function wrongRegion(facts: {
  runner: string;
  found: { account: string; region: string };
  expected: string;
}): DeployError {
  const { runner, found, expected } = facts;
  return new DeployError({
    code: 'WrongRegion',
    what: `AWS would be asked in ${found.region}, and ${runner} lives in ${expected}; no shard was touched.`,
    why: [`The region of account ${found.account} comes from AWS_REGION or the profile.`],
    now: 'Nothing was asked of the stack: its parameters are in another region.',
    fix: [
      inShell`export AWS_REGION=${expected}`,
      'If the stack has moved, change aws.region in hosted-runners.yml.',
    ],
  });
}

export function probesFailed(facts: { runner: string; missing: readonly string[] }): DeployError {
  return new DeployError({
    code: 'PreflightFailed',
    what: `${facts.missing.length} ${facts.missing.length === 1 ? 'thing is' : 'things are'} missing before ${facts.runner} can be deployed; no shard was touched.`,
    why: facts.missing,
    fix: [{ say: 'Mend them, then', again: 'prepare', runner: facts.runner }],
  });
}

export function cancelled(stage: string, again: string): DeployError {
  return new DeployError({
    code: 'Cancelled',
    what: `${stage} was cancelled.`,
    why: ['No new effect was begun after the signal.'],
    fix: [`Go on where it stopped: ${again}`],
  });
}

/** The same of a command that had not come to its stack: nobody is asked any more, so this is all that is known. */
export function cancelledUntouched(command: string, again: string): DeployError {
  const { written } = cancelled(command, again);
  const now = 'This command has touched nothing; it had not asked yet which shard serves.';
  return new DeployError({ ...written, now });
}

/** The same of a command that has no stack in its hands, such as `init`, `demo` and `status`. */
export function cancelledBeside(command: string, again: string): DeployError {
  const { written } = cancelled(command, again);
  const now = 'This command has touched no runner: whichever shard served before serves on.';
  return new DeployError({ ...written, now });
}

/** Everything that no function of the catalogue made is ours. */
export function bug(error: unknown): DeployError {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const frame =
    error instanceof Error
      ? (error.stack ?? '').split('\n').find((line) => line.includes(' at '))
      : undefined;
  return new DeployError({
    code: 'Bug',
    what: 'This program has met a case that it does not know.',
    why: [text, ...(frame === undefined ? [] : [frame.trim()])],
    fix: ["Report it with this text in the project's issues; the stage can be run again."],
  });
}

export function asDeployError(error: unknown, again: string): DeployError {
  if (isDeployError(error)) return error;
  return isPortFailure(error) ? fromPortFailure(error, again) : bug(error);
}

/** What ended a command, in the words of the catalogue: a cancel is known by the signal that it came from. */
export function knownError(
  thrown: unknown,
  {
    signal,
    command,
    typed,
    runner,
    isUntouched = false,
    isBeside = false,
  }: {
    signal: AbortSignal | undefined;
    command: string;
    typed: Typed;
    runner?: string;
    isUntouched?: boolean;
    isBeside?: boolean;
  },
): DeployError {
  // A call that was broken off is told as the cancel already; by whom it was asked, it does not know.
  const isTold = isBeside && isDeployError(thrown) && thrown.code === 'Cancelled';
  const isCancel = signal?.aborted === true && (thrown === signal.reason || isTold);
  const again = typed.again(runner);
  if (!isCancel) return asDeployError(thrown, again).asTyped(typed);
  const beside = isBeside ? cancelledBeside : cancelled;
  const asCancel = isUntouched ? cancelledUntouched : beside;
  return asCancel(command, again).asTyped(typed);
}
