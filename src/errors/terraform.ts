import { shellPath } from '../domain/text/shell-word.ts';
import { DeployError } from './deploy-error.ts';

/** What Terraform or OpenTofu did to us. One function a code. */

interface Place {
  readonly runner: string;
  readonly shard: string;
  /** `terraform` or `tofu`. */
  readonly binary: string;
}

/** Whether something may have been built before it ended. */
export interface TerraformSays extends Place {
  readonly command: string;
  /** Its own words, one line each. */
  readonly words: readonly string[];
  readonly touched: boolean;
}

export function terraformMissing({ binary }: Place): DeployError {
  return new DeployError({
    code: 'TerraformMissing',
    exitCode: 2,
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
    exitCode: 2,
    what: `${facts.binary} is ${facts.version}, and ${facts.least} is the oldest that works here.`,
    fix: [`Install ${facts.binary} ${facts.least} or later in the image of these jobs.`],
  });
}

export function directoryMissing(facts: Place & { directory: string }): DeployError {
  return new DeployError({
    code: 'TerraformDirectoryMissing',
    exitCode: 2,
    what: `infrastructure.directory is ${facts.directory}, and that is no directory.`,
    fix: ['Correct the path; it is seen from where hosted-runner is started.'],
  });
}

export function stateShared(facts: Place & { setting: string; found: string }): DeployError {
  return new DeployError({
    code: 'TerraformStateShared',
    exitCode: 2,
    what: `The state of ${facts.shard} would not be its own.`,
    why: [`${facts.setting} was given, and ${facts.binary} says of its backend: ${facts.found}.`],
    fix: ['Give the directory a backend block, such as: terraform { backend "s3" {} }'],
  });
}

export interface LockFacts extends Place {
  readonly lock: {
    readonly id: string;
    readonly who: string;
    readonly since: string;
    readonly operation: string;
  };
  /** As configured, for this shard. */
  readonly directory: string;
  /** Seen from there: the folder that was initialised for this shard's state. */
  readonly dataDirectory: string;
}

export function stateLocked(facts: LockFacts): DeployError {
  const { runner, shard, binary, lock, directory, dataDirectory } = facts;
  return new DeployError({
    code: 'TerraformStateLocked',
    exitCode: 75,
    what: `The state of ${shard} is locked by ${lock.who} since ${lock.since} (${lock.operation}).`,
    why: [
      `The lock ${lock.id} was not released within infrastructure.lock_timeout, and that its owner is dead is not proven.`,
      'Breaking the lock of a run that still works makes two of them write one state.',
    ],
    fix: [
      { say: 'Wait for it, then', again: 'provision', runner },
      // Without the folder Terraform would find the directory not initialised, or another shard's state.
      `Or, once you know that no such run lives: TF_DATA_DIR=${dataDirectory} ${binary} -chdir=${shellPath(directory)} force-unlock ${lock.id}`,
    ],
  });
}

export function planRefused(facts: Place & { purpose: string; rows: readonly string[] }) {
  return new DeployError({
    code: 'PlanRefused',
    exitCode: 3,
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
    exitCode: 3,
    what: `The saved plan of ${shard} is not the one that was looked at; it is not carried out.`,
    why: ['Its bytes have changed since, so somebody else writes to the same directory.'],
    fix: ['Find out who, then run the stage again: it plans anew.'],
  });
}

type Kind =
  | 'credentials'
  | 'denied'
  | 'quota'
  | 'exists'
  | 'provider'
  | 'configuration'
  | 'version'
  | 'stale';

const kinds = {
  credentials: {
    code: 'TerraformCredentials',
    exitCode: 1,
    said: 'has no credentials that are accepted',
    fix: 'Renew the credentials of these jobs: the role, the web identity or the profile.',
  },
  denied: {
    code: 'TerraformDenied',
    exitCode: 1,
    said: 'lacks a permission',
    fix: 'Grant the action that is named above to the role of these jobs.',
  },
  quota: {
    code: 'TerraformQuota',
    exitCode: 1,
    said: 'has met a limit of the account',
    fix: 'Have the limit raised, or free what is left over: two shards are there during a deployment.',
  },
  exists: {
    code: 'TerraformNameTaken',
    exitCode: 1,
    said: 'has met something that exists already and is in no state',
    fix: 'Where a killed run has left it: the next run adopts what carries exactly the tags of the shard. Remove anything else, or import it by docs/troubleshooting.md#terraformnametaken.',
  },
  provider: {
    code: 'TerraformProviderMissing',
    exitCode: 2,
    said: 'cannot install a provider or module',
    fix: 'Let these jobs reach the registry, or give them a mirror by TF_CLI_CONFIG_FILE.',
  },
  configuration: {
    code: 'TerraformConfigurationInvalid',
    exitCode: 2,
    said: 'does not accept the configuration',
    fix: 'Correct it where the words above point to.',
  },
  version: {
    code: 'TerraformVersionRefused',
    exitCode: 2,
    said: 'is not of a version that the configuration or the state accepts',
    fix: 'Use the version that required_version or the state names.',
  },
  stale: {
    code: 'TerraformPlanStale',
    exitCode: 1,
    said: 'found that the state has changed since the plan',
    fix: 'Somebody else has written to the state. Find out who, then run the stage again.',
  },
} as const;

export function terraformSays(kind: Kind, facts: TerraformSays): DeployError {
  const { code, exitCode, said, fix } = kinds[kind];
  const part = facts.touched
    ? [`${facts.shard} may be half done; the next run plans again from what is there.`]
    : [];
  return new DeployError({
    code,
    exitCode: facts.touched ? 1 : exitCode,
    what: `${facts.binary} ${facts.command} of ${facts.shard} ${said}.`,
    why: [...facts.words, ...part],
    fix: [fix, { say: 'Then', again: 'provision', runner: facts.runner }],
  });
}

export type TerraformTrouble = Kind;
