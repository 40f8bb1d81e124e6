import { credentialsToRenew } from '../text/credential-renewal.ts';
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
    byHand: 'Contact the operator of the hold',
  },
  credentials_refused: {
    title: 'the credentials are refused',
    symptom: '`CredentialsRefused`, or `doctor` shows `401`',
    because: 'they are wrong, revoked or expired; data that needs them is unknown',
    commands: [doctorStep],
    byHand: `Renew them: ${credentialsToRenew}`,
  },
  permission_missing: {
    title: 'a permission is missing',
    symptom: '`PermissionMissing`, or `doctor` shows `not known`',
    because: 'unreadable data proves nothing',
    commands: [doctorStep],
    byHand: 'Grant the named permission (docs/use/permissions.md lists every call)',
  },
  source_silent: {
    title: '{registry} or AWS does not respond',
    symptom: '`Unreachable`, `Unavailable` or `Throttled`',
    because:
      'a missing response proves nothing; the shards continue, and no stage changes anything',
    commands: [doctorStep],
    byHand: 'Wait for a response',
  },
  record_newer: {
    title: 'a newer version of hosted-runner wrote the deployment record',
    symptom: '`RecordFromNewerVersion`',
    because: 'an older version cannot interpret it',
    commands: [],
    byHand: 'Run the newer version, which the last jobs of the pipeline name',
  },
  record_illegible: {
    title: 'the deployment record is invalid',
    symptom: '`RecordInvalid`',
    because: 'only its history has the last valid value',
    commands: [],
    byHand:
      "Find its last valid value, aws ssm get-parameter-history --name {id}, and write it: aws ssm put-parameter --overwrite --name {id} --value '…'",
  },
  lock_alive: {
    title: 'another run holds the lock',
    symptom: '`LockHeld` in every stage',
    because: 'its owner is running, and two concurrent runs would undo each other',
    commands: [doctorStep],
    byHand:
      'Wait for that run, or stop it: cancel its job in the CI, or press Ctrl-C in its terminal',
  },
  lock_unproven: {
    title: 'the owner of the lock may still run',
    symptom: '`LockHeld` whose `fix` names `--take-lock`',
    because: 'neither this machine nor a CI can report its state, and its age proves nothing',
    commands: [takeLockStep],
    byHand: 'Verify that the run has ended, on its machine or with its owner',
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
    byHand: 'Run this in a terminal, or give the jobs the tags of another runner',
  },
  // Before the running pipeline: its next stage would stop at the missing status.
  status_lost: {
    title: 'the active-shard parameter, deployment_status, is missing',
    symptom: '`FactsContradict`: deployment_status is missing',
    because:
      'if record and observed state name the same shard, the value of the parameter is certain; otherwise an operator activates a shard that accepts jobs',
    commands: [fixStep],
    fixes: 'write_status',
  },
  deployment_running: {
    title: 'a deployment is running',
    symptom: 'two shards exist and a pipeline runs',
    because: 'its pipeline continues without an operator',
    commands: [doctorStep],
    byHand: 'Wait for its pipeline, or cancel the pipeline in the CI',
  },
} satisfies Entries;

const beginnings = {
  status_illegible: {
    title: 'the active-shard parameter, deployment_status, is invalid',
    symptom: '`FactsContradict`: deployment_status is invalid',
    because: 'the shard that accepts jobs counts as the active one',
    commands: [activateStep(), finalizeStep],
  },
  status_edited: {
    title: 'the active-shard parameter, deployment_status, was edited manually',
    symptom: '`FactsContradict` after an edit of the status',
    because:
      '`activate` verifies a shard and makes it active in every source; otherwise undo the edit',
    commands: [activateStep(), finalizeStep],
  },
  record_lost: {
    title: 'the deployment record of an existing stack is missing',
    symptom: '`FactsContradict`: there is no record',
    because: 'without a record, hosted-runner can adopt only one shard that accepts jobs',
    commands: [activateStep(), finalizeStep],
  },
  nothing_known: {
    title: 'the active-shard parameter and the deployment record are missing',
    symptom: '`FactsContradict`: there is no status and no record',
    because: 'an operator chooses the active shard: one that accepts jobs',
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
      'a registration token expires after an hour; later hosts wait for the next token, which a schedule must store',
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
    because: 'its process runs; `activate` verifies and reopens it',
    commands: [activateStep(), finalizeStep],
  },
  rollback_possible: {
    title: 'the new shard is not verified, and the old one still exists',
    symptom: 'customer jobs wait right after a deployment',
    because:
      'a running old process only needs to be reopened; a stopped one is started and verified first',
    commands: [rollbackStep, finalizeStep],
  },
} satisfies Entries;

const candidates = {
  candidate_serves: {
    title: 'the inactive shard accepts jobs',
    symptom: '`InactiveShardHealthy`',
    because: 'such a shard is never changed; `activate` makes it active in a new deployment',
    commands: [activateStep(), finalizeStep],
  },
  two_instances: {
    title: 'several instances have the Name tag of the shard',
    symptom: 'two instances in the EC2 console with one Name',
    because:
      '`recover` terminates the instance that is in no Terraform state, or the youngest one if no state is available',
    commands: [recoverStep('terminate --instance {id}'), finalizeStep],
  },
  retreat_unfinished: {
    title: 'the retreat of the candidate is unfinished',
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
    symptom: 'Terraform plans to create existing resources',
    because: 'an apply would build a second instance',
    commands: [recoverStep('terminate --instance {id}'), finalizeStep],
  },
  resources_gone: {
    title: "the candidate's instances are gone, but its infrastructure exists",
    symptom: 'the instance was terminated manually',
    because: 'an apply builds them again',
    commands: [recoverStep('rerun'), finalizeStep],
  },
  instance_silent: {
    title: "the candidate's instance does not respond",
    symptom: 'the SSM agent is lost, or the instance hangs',
    because: 'it cannot be checked; it is terminated, and a new one is built',
    commands: [recoverStep('terminate --instance {id}'), finalizeStep],
  },
  candidate_unhealthy: {
    title: 'the candidate is unhealthy',
    symptom: '`HealthcheckTimedOut` or `CanaryFailed`',
    because: 'the first recovery method that can help is used',
    commands: [recoverStep('auto'), finalizeStep],
  },
  provision_unfinished: {
    title: 'the candidate is not promoted yet',
    symptom: 'a failed or cancelled provision',
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
