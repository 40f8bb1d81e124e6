import { inShell } from '../domain/text/shell-quoting.ts';
import { isPortFailure, type PortFailure } from '../ports/failure.ts';
import {
  checkDocumentRefused,
  credentialsEnded,
  credentialsRefused,
  roleRefused,
} from './credential-errors.ts';
import { DeployError, isDeployError } from './deploy-error.ts';
import type { Typed } from './fix-line.ts';
import { checkProxy, granularTokenFix, runnerLimit, trust } from './port-fixes.ts';

/** Errors of other systems. One code per kind of failure. */
export function fromPortFailure(failure: PortFailure, again: string): DeployError {
  if (failure.refusedRole !== undefined) return roleRefused(failure, failure.refusedRole, again);
  if (failure.refusedDocument !== undefined)
    return checkDocumentRefused(failure, failure.refusedDocument, again);
  // Through a proxy, the proxy has refused the request.
  const kind = failure.through === undefined ? failure.kind : 'unreachable';
  if (kind === 'ended') return credentialsEnded(failure, again);
  if (kind === 'unauthenticated') return credentialsRefused(failure, again);
  const { code, phrase, fix } = kinds[kind];
  if (failure.ground?.kind === 'runner_limit')
    return runnerLimit(failure.ground, { seen: `${failure.source}: "${failure.detail}"`, again });
  const repair =
    failure.lasting === 'untrusted_certificate'
      ? trust
      : (checkProxy(failure.through) ?? granularTokenFix(failure) ?? fix);
  const unsure =
    failure.effect === 'unknown'
      ? ['The request may have taken effect; the next run checks this first.']
      : [];
  return new DeployError({
    code,
    what: `${failure.source}: ${phrase}.`,
    why: [`"${failure.detail}"`, ...unsure],
    fix:
      repair.length === 0 ? [`Run it again: ${again}`] : [...repair, `Then run it again: ${again}`],
  });
}

/**
 * Returns the error of a wait that the next run resumes: nothing has failed. A lasting cause is a
 * failure.
 * @param isOld the deployment has made no progress for so long that no outage explains it
 */
export function noResponse(failure: PortFailure, again: string, isOld: boolean): DeployError {
  const error = fromPortFailure(failure, again);
  const isLasting = isOld || failure.lasting !== undefined;
  return new DeployError({ ...error.fields, exitCode: isLasting ? 1 : 75 });
}

/**
 * Texts by kind. Codes with exit code 75 pass without an operator. `unreachable` does not: it may
 * be a wrong address or a firewall.
 */
const kinds = {
  unreachable: {
    code: 'Unreachable',
    phrase: 'no response',
    fix: ['Check the address and the network connection to it.'],
  },
  unavailable: {
    code: 'Unavailable',
    phrase: 'the service is temporarily unavailable',
    fix: [],
  },
  read_only: {
    code: 'ReadOnly',
    phrase: 'the service accepts no writes now',
    fix: [
      'Wait until the maintenance is over. Until then, no runner gets a job. A runner that was refused three times requests no job for an hour.',
    ],
  },
  throttled: {
    code: 'Throttled',
    phrase: 'this run was throttled for longer than it may wait',
    fix: ['Wait for the time named above, or for a few minutes if none is named.'],
  },
  denied: {
    code: 'PermissionMissing',
    phrase: 'the call is not permitted',
    fix: ['Grant the permission named above; docs/use/permissions.md lists every call.'],
  },
  refused: {
    code: 'Refused',
    phrase: 'refused',
    fix: ['Fix the cause named above.'],
  },
  unexpected: {
    code: 'UnexpectedAnswer',
    phrase: 'the response is not as documented',
    fix: ['Check that the address belongs to the API, and not to a proxy or a login page.'],
  },
} as const;

export function gitlabTooOld(facts: { version: string; oldest: string }): DeployError {
  const { version, oldest } = facts;
  return new DeployError({
    code: 'GitLabTooOld',
    what: `GitLab ${version} is too old; ${oldest} is the oldest supported version, and no shard was touched.`,
    why: ['Drains depend on responses of GitLab that were not tested with older versions.'],
    now: 'The shards are unchanged. Only new deployments are refused; an unfinished one can be finished with any GitLab version.',
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
    what: `The AWS credentials belong to account ${found.account}, but ${runner} is in ${expected}; no shard was touched.`,
    why: [`AWS reports "${found.arn}", region ${found.region}.`],
    now: 'The stack was not queried: its parameters are in another account.',
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
    what: `The AWS region is ${found.region}, but ${runner} is in ${expected}; no shard was touched.`,
    why: ['The region comes from AWS_REGION or the profile.'],
    now: 'The stack was not queried: its parameters are in another region.',
    fix: [
      inShell`export AWS_REGION=${expected}`,
      'If the stack has moved, change aws.region in hosted-runners.yml.',
    ],
  });
}

export function probesFailed(runner: string, missing: readonly string[], again = 'prepare') {
  const count = missing.length === 1 ? '1 prerequisite is' : `${missing.length} prerequisites are`;
  return new DeployError({
    code: 'PreflightFailed',
    what: `${runner} cannot be deployed yet: ${count} missing; no shard was touched.`,
    why: missing,
    fix: [{ text: 'Fix them, then', again, runner }],
  });
}

export function cancelled(stage: string, again: string): DeployError {
  return new DeployError({
    code: 'Cancelled',
    what: `${stage} was cancelled.`,
    why: ['No new change was started after the signal.'],
    fix: [`Resume where it stopped: ${again}`],
  });
}

/**
 * Cancellation before the command read its stack: no further query is made, so `now` states only
 * this.
 */
export function cancelledUntouched(command: string, again: string): DeployError {
  const { written } = cancelled(command, again);
  const now = 'This command has touched nothing; it had not yet checked which shard accepts jobs.';
  return new DeployError({ ...written, now });
}

/** Cancellation of a command that changes no stack, such as `init`, `demo` and `status`. */
export function cancelledBeside(command: string, again: string): DeployError {
  const { written } = cancelled(command, again);
  const now =
    'This command has touched no runner: the shard that accepted jobs before still accepts them.';
  return new DeployError({ ...written, now });
}

/** Treats every error that the catalogue did not create as a bug. */
export function bug(error: unknown): DeployError {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const frame =
    error instanceof Error
      ? (error.stack ?? '').split('\n').find((line) => line.includes(' at '))
      : undefined;
  return new DeployError({
    code: 'Bug',
    what: 'Internal error: hosted-runner does not handle this case.',
    why: [text, ...(frame === undefined ? [] : [frame.trim()])],
    fix: ['Report this text in the issues of the project. You can run the stage again.'],
  });
}

export function asDeployError(error: unknown, again: string): DeployError {
  if (isDeployError(error)) return error;
  return isPortFailure(error) ? fromPortFailure(error, again) : bug(error);
}

/** Replaces the fix for a system without a response if the environment names a sandbox. */
function inSandbox(error: DeployError, { sandboxUrl }: Typed): DeployError {
  if (error.code !== 'Unreachable' || sandboxUrl === undefined) return error;
  const { why = [], fix: [, ...again] = [], ...written } = error.written;
  return new DeployError({
    ...written,
    why: [...why, `HOSTED_RUNNER_SANDBOX_URL names the sandbox ${sandboxUrl}.`],
    fix: [
      {
        text: 'Start the sandbox again and export the variables that it prints, or open a new terminal for real systems',
        command: 'sandbox',
        isAlone: true,
      },
      ...again,
    ],
  });
}

/**
 * Converts any thrown error into one of the catalogue. A cancellation is identified by its signal.
 */
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
  // An interrupted call already has the code `Cancelled`, but does not know its command.
  const isInterrupted = isBeside && isDeployError(thrown) && thrown.code === 'Cancelled';
  const isCancel = signal?.aborted === true && (thrown === signal.reason || isInterrupted);
  const again = typed.again(runner);
  if (!isCancel) return inSandbox(asDeployError(thrown, again), typed).asTyped(typed);
  const beside = isBeside ? cancelledBeside : cancelled;
  const asCancel = isUntouched ? cancelledUntouched : beside;
  return asCancel(command, again).asTyped(typed);
}
