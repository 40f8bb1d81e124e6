import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError, needsOperator } from './deploy-error.ts';

/** What Terraform or OpenTofu did to us. One function a code. */

interface Place {
  readonly runner: string;
  readonly shard: string;
  /** `terraform` or `tofu`. */
  readonly binary: string;
}

/** Whether something may have been built before it ended. */
export interface CauseFacts extends Place {
  readonly command: string;
  /** Its own words, one line each. */
  readonly words: readonly string[];
  readonly touched: boolean;
  /** Whether it failed while it requested the state's lock. */
  readonly isLockRequested: boolean;
}

export function terraformMissing({ binary }: Place): DeployError {
  return new DeployError({
    code: 'TerraformMissing',
    what: `${binary} was not found on PATH.`,
    why: [`infrastructure.binary is ${binary}.`],
    fix: [
      `Install ${binary} 1.5 or later in the image of these jobs.`,
      'Or use the other one: infrastructure.binary: terraform or tofu',
    ],
  });
}

export function terraformTooOld(facts: Place & { version: string; least: string }): DeployError {
  return new DeployError({
    code: 'TerraformTooOld',
    what: `${facts.binary} is ${facts.version}, and ${facts.least} is the oldest that works here.`,
    fix: [`Install ${facts.binary} ${facts.least} or later in the image of these jobs.`],
  });
}

export function directoryMissing(facts: Place & { directory: string }): DeployError {
  return new DeployError({
    code: 'TerraformDirectoryMissing',
    what: `infrastructure.directory is ${facts.directory}, and that is no directory.`,
    fix: ['Correct the path; it is seen from where hosted-runner is started.'],
  });
}

export function stateShared(facts: Place & { setting: string; found: string }): DeployError {
  return new DeployError({
    code: 'TerraformStateShared',
    what: `The state of ${facts.shard} would not be its own.`,
    why: [`${facts.setting} was given, and ${facts.binary} says of its backend: ${facts.found}.`],
    fix: ['Give the directory a backend block, such as: terraform { backend "s3" {} }'],
  });
}

export interface StateLockFacts extends Place {
  readonly lock: {
    /** Absent if the backend does not report it. */
    readonly id?: string;
    readonly owner?: { readonly who: string; readonly since: string; readonly operation: string };
    /** The backend's own words; may be empty. */
    readonly reason: string;
  };
  /** As configured, for this shard. */
  readonly directory: string;
  /** Seen from there: the folder that was initialised for this shard's state. */
  readonly dataDirectory: string;
  /** Held for so long that no run is expected to hold it. */
  readonly isOld?: boolean;
}

export function stateLocked(facts: StateLockFacts): DeployError {
  const { runner, shard, binary, lock, directory, dataDirectory, isOld = false } = facts;
  const { id, owner, reason } = lock;
  const by =
    owner === undefined
      ? 'by another run, and the backend does not report which'
      : `by ${owner.who} since ${owner.since} (${owner.operation})`;
  // Without the folder Terraform would find the directory not initialised, or another shard's state.
  const unlock = (lockId: string) =>
    inShell`Or, once you know that no such run lives: TF_DATA_DIR=${dataDirectory} ${binary} -chdir=${directory} force-unlock ${lockId}`;
  const error = new DeployError({
    code: 'TerraformStateLocked',
    what: `The state of ${shard} is locked ${by}.`,
    why: [
      ...(reason === '' ? [] : [`"${reason}"`]),
      `The lock${id === undefined ? '' : ` ${id}`} was not released within infrastructure.lock_timeout, and that its owner is dead is not proven.`,
      'Breaking the lock of a run that still works makes two of them write one state.',
    ],
    fix: [
      { say: 'Wait for it, then', again: 'provision', ofAny: true, runner },
      id === undefined
        ? 'Or, once you know that no such run lives: remove the lock in the backend, which does not report its id.'
        : unlock(id),
    ],
  });
  return isOld ? needsOperator(error) : error;
}

export function planRefused(facts: Place & { purpose: string; rows: readonly string[] }) {
  return new DeployError({
    code: 'PlanRefused',
    what: `The plan to ${facts.purpose} ${facts.shard} of ${facts.runner} is refused; nothing of it was carried out.`,
    why: facts.rows,
    fix: [
      'Correct the configuration or its state; a plan may touch the one shard only.',
      'Names of the shard that do not begin with {shard}-{runner_name}_ are given as infrastructure.own_names.',
    ],
  });
}

export function planChanged({ shard }: Place): DeployError {
  return new DeployError({
    code: 'PlanChanged',
    what: `The saved plan of ${shard} is not the one that was looked at; it is not carried out.`,
    why: ['Its bytes have changed since, so somebody else writes to the same directory.'],
    fix: ['Find out who, then run the stage again: it plans anew.'],
  });
}
