import {
  activateStep,
  deployStep,
  doctorStep,
  finalizeStep,
  fixStep,
  provisionStep,
  recoverStep,
  releaseStep,
  renewStep,
  rollbackStep,
  takeLockStep,
} from './commands.ts';
import type { FindingEntry } from './finding.ts';
import { reopeningEntries, retirementEntries } from './retirement-entries.ts';

type Entries = Readonly<Record<string, FindingEntry>>;

const state = {
  held: {
    title: 'the stack is held',
    symptom: '`Held` in every stage',
    because: 'a hold stops every stage before its next change until an operator releases it',
    commands: [releaseStep],
    byHand: 'Contact the operator who set the hold',
  },
  credentials_refused: {
    title: 'the credentials are refused',
    symptom: '`CredentialsRefused`, or `doctor` shows `401`',
    because: 'they are wrong, revoked or expired; data that needs them cannot be read',
    commands: [doctorStep],
    byHand: 'Renew the credentials of the system that refuses them',
  },
  permission_missing: {
    title: 'a permission is missing',
    symptom: '`PermissionMissing`, or `doctor` shows `not known`',
    because: 'unreadable data is treated as unknown',
    commands: [doctorStep],
    byHand: 'Grant the missing permission (docs/use/permissions.md lists every call)',
  },
  source_silent: {
    title: '{registry} or AWS does not respond',
    symptom: '`Unreachable`, `Unavailable` or `Throttled`',
    because:
      'without a response, the state is unknown and no stage changes anything; the shards continue to run',
    commands: [doctorStep],
    byHand: 'Wait for a response',
  },
  record_newer: {
    title: 'a newer version of hosted-runner wrote the deployment record',
    symptom: '`RecordFromNewerVersion`',
    because: 'an older version cannot read it',
    commands: [],
    byHand: "Run the newer version; the pipeline's latest jobs show which",
  },
  record_illegible: {
    title: 'the deployment record is invalid',
    symptom: '`RecordInvalid`',
    because: "only the parameter's history has the last valid value",
    commands: [],
    byHand:
      "Find the last valid value (`aws ssm get-parameter-history --name {id}`) and write it (`aws ssm put-parameter --overwrite --name {id} --value '…'`)",
  },
  lock_alive: {
    title: 'another run holds the lock',
    symptom: '`LockHeld` in every stage',
    because: 'its owner is running, and two concurrent runs would conflict',
    commands: [doctorStep],
    byHand:
      'Wait for that run, or stop it: cancel its job in the CI, or press Ctrl-C in its terminal',
  },
  lock_unproven: {
    title: 'the owner of the lock may still run',
    symptom: '`LockHeld` whose `fix` suggests `--take-lock`',
    because:
      "neither this machine nor a CI reports the owner's state, and the age of the lock proves nothing",
    commands: [takeLockStep],
    byHand: 'Verify that the run has ended: on its machine, or with its owner',
  },
  lock_illegible: {
    title: 'the lock is invalid',
    symptom: '`LockInvalid`',
    because: 'its owner is unknown',
    commands: [takeLockStep],
    byHand: 'Verify that no deployment of this stack runs',
  },
  runs_on_itself: {
    title: 'this job runs on the shard that it would change',
    symptom: '`RunsOnTheShardItTouches`',
    because: 'a drain would wait for its own job',
    commands: [finalizeStep],
    byHand: 'Use a terminal, or give the jobs the tags of another runner',
  },
  // Before the running pipeline: its next stage would stop at the missing status.
  status_lost: {
    title: 'the active-shard parameter, deployment_status, is missing',
    symptom: '`FactsContradict`: deployment_status is missing',
    because:
      'if the record and the observed state name the same shard, the correct value is known; otherwise, activate a shard that accepts jobs',
    commands: [fixStep],
    fixes: 'write_status',
  },
  deployment_running: {
    title: 'a deployment is running',
    symptom: 'two shards exist and a pipeline runs',
    because: 'its pipeline continues without an operator',
    commands: [doctorStep],
    byHand: 'Wait for the pipeline, or cancel the pipeline in the CI',
  },
} satisfies Entries;

const beginnings = {
  status_illegible: {
    title: 'the active-shard parameter, deployment_status, is invalid',
    symptom: '`FactsContradict`: deployment_status is invalid',
    because: 'hosted-runner treats the shard that accepts jobs as the active one',
    commands: [activateStep(), finalizeStep],
  },
  status_edited: {
    title: 'the active-shard parameter, deployment_status, was edited manually',
    symptom: '`FactsContradict` after an edit of the status',
    because: '`activate` verifies a shard and makes it active; alternatively, undo the edit',
    commands: [activateStep(), finalizeStep],
  },
  record_lost: {
    title: 'the deployment record of an existing stack is missing',
    symptom: '`FactsContradict`: there is no record',
    because:
      'hosted-runner takes over such a stack only if one shard accepts jobs and the other has no runner',
    commands: [activateStep(), finalizeStep],
  },
  nothing_known: {
    title: 'the active-shard parameter and the deployment record are missing',
    symptom: '`FactsContradict`: there is no status and no record',
    because: 'choose the active shard among those that accept jobs',
    commands: [activateStep(), finalizeStep],
  },
  never_deployed: {
    title: 'no part of this stack exists',
    because: 'it was never deployed, or was removed completely',
    commands: [deployStep],
  },
  // Before the availability findings: a fleet whose hosts all wait for a token has no runner.
  token_ended: {
    title: 'hosts of the active shard wait for a token and have no runner in GitHub',
    symptom: 'GitHub: fewer runners than hosts, and `waiting: the token of … has ended` on a host',
    because:
      'a registration token expires after an hour; hosts that start later wait until a scheduled `renew` stores the next token',
    commands: [renewStep],
  },
  nothing_serves: {
    title: 'NO SHARD IS VERIFIED',
    symptom: 'customer jobs wait for a runner',
    because:
      '`activate` verifies an existing shard and reopens it; if none can be verified, a deployment builds a new one',
    commands: [activateStep(), finalizeStep],
  },
  promoted_closed: {
    title: 'the new shard is promoted, but its {registration} is {paused} or lacks its {tags}',
    symptom: 'the new {registration} was paused right after a deployment',
    because: 'the process runs; `activate` verifies and reopens the shard',
    commands: [activateStep(), finalizeStep],
  },
  rollback_possible: {
    title: 'the new shard is not verified, and the old one still exists',
    symptom: 'customer jobs wait right after a deployment',
    because:
      "if the old shard's process runs, `rollback` only reopens the shard; otherwise `rollback` starts and verifies the process first",
    commands: [rollbackStep, finalizeStep],
  },
} satisfies Entries;

const candidates = {
  candidate_serves: {
    title: 'the inactive shard accepts jobs',
    symptom: '`InactiveShardHealthy`',
    because: 'stages never change such a shard; `activate` makes it active in a new deployment',
    commands: [activateStep(), finalizeStep],
  },
  two_instances: {
    title: 'several instances have the Name tag of the shard',
    symptom: 'two instances in the EC2 console have the same Name',
    because:
      '`recover` terminates the instance that is in no Terraform state, or the youngest one if no state can be read',
    commands: [recoverStep('terminate --instance {id}'), finalizeStep],
  },
  retreat_unfinished: {
    title: 'the removal of the candidate (its retreat) is unfinished',
    symptom: '`Retreated`, or the phase `retreating`',
    because: 'the next run finishes it first',
    commands: [recoverStep('auto'), finalizeStep],
  },
  registration_gone: {
    title: "the candidate's {record} was deleted in {registry}",
    symptom: 'the candidate has no {registration} in {registry}',
    because: 'its token is invalid, and a {manager} never registers by itself',
    commands: [recoverStep('cleanup'), finalizeStep],
  },
  state_lost: {
    title: 'instances of the candidate are in no Terraform state',
    symptom: 'Terraform plans to create resources that already exist',
    because: 'an apply would build a second instance',
    commands: [recoverStep('terminate --instance {id}'), finalizeStep],
  },
  resources_gone: {
    title: 'the candidate has no instances, but its other infrastructure exists',
    symptom: 'an operator terminated the instance',
    because: 'an apply rebuilds them',
    commands: [recoverStep('rerun'), finalizeStep],
  },
  instance_silent: {
    title: "the candidate's instance does not respond",
    symptom: 'the SSM agent is lost, or the instance hangs',
    because: '`recover` terminates an instance that cannot be checked, and builds a new one',
    commands: [recoverStep('terminate --instance {id}'), finalizeStep],
  },
  candidate_unhealthy: {
    title: 'the candidate is unhealthy',
    symptom: '`HealthcheckTimedOut` or `CanaryFailed`',
    because: '`recover` uses the first method that can help',
    commands: [recoverStep('auto'), finalizeStep],
  },
  provision_unfinished: {
    title: 'the candidate is not promoted yet',
    symptom: '`provision` failed or was cancelled',
    because: '`provision` checks the state first and does the remaining work',
    commands: [provisionStep, finalizeStep],
  },
} satisfies Entries;

const all = {
  ...state,
  ...beginnings,
  ...reopeningEntries,
  ...candidates,
  ...retirementEntries,
};

export type FindingCode = keyof typeof all;

/**
 * Faults of a stack and the commands against them, for doctor, the runbook and the tests. Their
 * order is the order of repair.
 */
export const findingEntries: Readonly<Record<FindingCode, FindingEntry>> = all;

export const findingCodes = Object.keys(findingEntries) as readonly FindingCode[];
