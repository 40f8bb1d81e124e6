import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError, needsOperator } from './deploy-error.ts';

/** Errors of Terraform or OpenTofu. One function per code. */

interface Place {
  readonly runner: string;
  readonly shard: string;
  /** Name of the program: `terraform` or `tofu`. */
  readonly binary: string;
}

/** Facts of a failed command, and whether it may have built something. */
export interface CauseFacts extends Place {
  readonly command: string;
  /** Lines of its output, verbatim. */
  readonly words: readonly string[];
  readonly touched: boolean;
  /** Whether it failed when it requested the state's lock. */
  readonly isLockRequested: boolean;
}

export function terraformMissing({ binary }: Place): DeployError {
  return new DeployError({
    code: 'TerraformMissing',
    what: `${binary} was not found on PATH.`,
    why: [`infrastructure.binary is ${binary}.`],
    fix: [
      `Install ${binary} 1.5 or later in the image of the CI jobs.`,
      `Or set infrastructure.binary: ${binary === 'tofu' ? 'terraform' : 'tofu'}`,
    ],
  });
}

export function terraformTooOld(facts: Place & { version: string; least: string }): DeployError {
  return new DeployError({
    code: 'TerraformTooOld',
    what: `${facts.binary} ${facts.version} is too old; ${facts.least} is the oldest supported version.`,
    fix: [`Install ${facts.binary} ${facts.least} or later in the image of the CI jobs.`],
  });
}

export function directoryMissing(facts: Place & { directory: string }): DeployError {
  return new DeployError({
    code: 'TerraformDirectoryMissing',
    what: `The key infrastructure.directory names "${facts.directory}", which is not a directory.`,
    fix: ['Correct the path; it is relative to the directory in which hosted-runner starts.'],
  });
}

export function stateShared(facts: Place & { setting: string; found: string }): DeployError {
  return new DeployError({
    code: 'TerraformStateShared',
    what: `The Terraform state of ${facts.shard} would be shared with the other shard.`,
    why: [`${facts.setting} is set, but ${facts.binary} reports ${facts.found}.`],
    fix: ['Give the directory a backend block, such as: terraform { backend "s3" {} }'],
  });
}

export interface StateLockFacts extends Place {
  readonly lock: {
    /** Absent if the backend does not report it. */
    readonly id?: string;
    readonly owner?: { readonly who: string; readonly since: string; readonly operation: string };
    /** The backend's message, verbatim; may be empty. */
    readonly reason: string;
  };
  /** Configured directory, for this shard. */
  readonly directory: string;
  /** Folder that was initialised for this shard's state, relative to the directory. */
  readonly dataDirectory: string;
  /** Whether it was held for so long that no run is expected to hold it. */
  readonly isOld?: boolean;
}

export function stateLocked(facts: StateLockFacts): DeployError {
  const { runner, shard, binary, lock, directory, dataDirectory, isOld = false } = facts;
  const { id, owner, reason } = lock;
  const by =
    owner === undefined
      ? 'is locked by another run, and the backend does not report by which one'
      : `has been locked by ${owner.who} since ${owner.since} (${owner.operation})`;
  // Without the folder, Terraform would report an uninitialised directory, or use another shard's
  // state.
  const unlock = (lockId: string) =>
    inShell`Or, if you are sure that the lock owner has ended: TF_DATA_DIR=${dataDirectory} ${binary} -chdir=${directory} force-unlock ${lockId}`;
  const error = new DeployError({
    code: 'TerraformStateLocked',
    what: `The Terraform state of ${shard} ${by}.`,
    why: [
      ...(reason === '' ? [] : [`"${reason}"`]),
      `The lock${id === undefined ? '' : ` ${id}`} was not released within infrastructure.lock_timeout, and nothing proves that its owner has ended.`,
      'If you break the lock of a run that still works, two runs write the same state.',
    ],
    fix: [
      { text: 'Wait for that run, then', again: 'provision', ofAny: true, runner },
      id === undefined
        ? 'Or, if you are sure that the lock owner has ended, remove the lock in the backend. The backend does not report the id of the lock.'
        : unlock(id),
    ],
  });
  return isOld ? needsOperator(error) : error;
}

export function planRefused(facts: Place & { purpose: string; rows: readonly string[] }) {
  return new DeployError({
    code: 'PlanRefused',
    what: `The plan to ${facts.purpose} ${facts.shard} of ${facts.runner} was refused; nothing was applied.`,
    why: facts.rows,
    fix: [
      'Correct the configuration or the state. A plan may change only one shard.',
      'If a refused resource belongs to the shard but has another name than {shard}-{runner_name}, add that name to infrastructure.own_names.',
    ],
  });
}

export function planChanged({ runner, shard }: Place): DeployError {
  return new DeployError({
    code: 'PlanChanged',
    what: `The saved plan of ${shard} changed after it was checked; it was not applied.`,
    why: [
      'The bytes of the plan have changed, so another process is writing to the same directory.',
    ],
    fix: [
      'Find that process.',
      { text: 'Then make a new plan', again: 'provision', ofAny: true, runner },
    ],
  });
}
