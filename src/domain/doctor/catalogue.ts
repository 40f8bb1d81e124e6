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
    title: 'the deployment is held',
    symptom: 'every stage stops at once with 3 and says `Held`',
    because: 'a hold stops every stage before its next effect until somebody releases it',
    commands: [releaseStep],
    byHand: 'Ask whoever holds it first',
  },
  credentials_refused: {
    title: 'the credentials are refused',
    symptom: '`CredentialsRefused`, or doctor shows `401`',
    because: 'they are wrong, revoked or have ended, and what cannot be asked is not known',
    commands: [doctorStep],
    byHand: `Renew them: ${credentialsToRenew}`,
  },
  permission_missing: {
    title: 'a permission is missing',
    symptom: '`PermissionMissing`, or doctor shows `not known`',
    because: 'what cannot be seen is never taken for good, so that nothing more is concluded',
    commands: [doctorStep],
    byHand: 'Grant what is named; docs/use/permissions.md lists every call',
  },
  source_silent: {
    title: '{registry} or AWS does not answer',
    symptom: '`Unreachable`, `Unavailable` or `Throttled`',
    because: 'an answer that is absent says nothing; the shards go on as they are',
    commands: [doctorStep],
    byHand: 'Wait until it answers; no stage touches anything before',
  },
  record_newer: {
    title: 'the record was written by a newer version of this program',
    symptom: '`RecordFromNewerVersion`',
    because: 'an older program cannot know what the newer one means',
    commands: [],
    byHand: 'Run the version that wrote it; the last jobs of the pipeline name it',
  },
  record_illegible: {
    title: 'the record cannot be read',
    symptom: '`RecordInvalid`',
    because: 'what it said is in its history, and nobody guesses it',
    commands: [],
    byHand:
      "Find its last good value, aws ssm get-parameter-history --name {id}, and put that back: aws ssm put-parameter --overwrite --name {id} --value '…'",
  },
  lock_alive: {
    title: 'another job is at it',
    symptom: 'every stage ends with 75 and `LockHeld`',
    because: 'its owner lives, and two at once would undo each other',
    commands: [doctorStep],
    byHand:
      'Wait for that job, or stop its deployment: cancel the job in the CI, or press Ctrl-C where it was typed',
  },
  lock_unproven: {
    title: 'nobody can say whether the owner of the lock still runs',
    symptom: '`LockHeld`, and its `fix` names `--take-lock`',
    because: 'neither this machine nor a CI can be asked after it, and time proves nothing',
    commands: [takeLockStep],
    byHand: 'Ask whom the lock names, or look at their machine: only once that run has ended',
  },
  lock_illegible: {
    title: 'the lock cannot be read',
    symptom: '`LockInvalid`',
    because: 'nobody can be asked whether its owner lives',
    commands: [takeLockStep],
    byHand: 'Make sure first that nobody deploys this stack',
  },
  runs_on_itself: {
    title: 'the job runs on the shard that it would touch',
    symptom: '`RunsOnTheShardItTouches`',
    because: 'a drain would wait for the very job that drains',
    commands: [finalizeStep],
    byHand: 'Type this in a terminal, or give the jobs the tags of another runner',
  },
  // Before the pipeline that runs: its next stage would stop at what is missing.
  status_lost: {
    title: 'the status, deployment_status, is gone',
    symptom: '`FactsContradict`: deployment_status says nothing',
    because:
      'where record and reality name the same shard there is one value that it can have had; otherwise a shard that serves is made active as a whole',
    commands: [fixStep],
    fixes: 'write_status',
  },
  deployment_running: {
    title: 'a deployment is under way',
    symptom: 'two shards are there and a pipeline runs',
    because: 'its own pipeline goes on by itself',
    commands: [doctorStep],
    byHand: 'Wait for its pipeline, or stop the deployment: cancel the pipeline in the CI',
  },
} satisfies Entries;

const beginnings = {
  status_illegible: {
    title: 'the status, deployment_status, cannot be read',
    symptom: '`FactsContradict`: deployment_status is invalid',
    because: 'which shard is active is known by what serves, and by nothing else',
    commands: [activateStep(), finalizeStep],
  },
  status_edited: {
    title: 'the status, deployment_status, was edited by hand',
    symptom: '`FactsContradict` after somebody swapped the status',
    because: 'the shard that proves to serve is made active as a whole, or the edit is undone',
    commands: [activateStep(), finalizeStep],
  },
  record_lost: {
    title: 'there is no record of a stack that exists',
    symptom: '`FactsContradict`: there is no record',
    because: 'without a record only one shard that serves can be taken over as it is',
    commands: [activateStep(), finalizeStep],
  },
  nothing_known: {
    title: 'status and record are both gone',
    symptom: '`FactsContradict`: there is no status and no record',
    because: 'which shard is active is what a person has to say, by what serves',
    commands: [activateStep(), finalizeStep],
  },
  never_deployed: {
    title: 'nothing of this stack exists',
    because: 'it was never deployed, or removed as a whole',
    commands: [deployStep],
  },
  // Before who serves: a fleet whose hosts all wait has no runner that could.
  token_ended: {
    title: 'hosts of the active shard wait for a token and have no {manager}',
    symptom: 'fewer {managers} than hosts, and `waiting: the token of … has ended` on a host',
    because:
      'a token for registering ends after an hour; hosts that register later wait for the next one, which a schedule has to write',
    commands: [renewStep],
  },
  nothing_serves: {
    title: 'NO SHARD IS PROVEN TO SERVE',
    symptom: 'customers wait for a runner',
    because:
      'the repair of a stack that serves nobody is allowed, and the shard that is there proves itself first',
    commands: [activateStep(), finalizeStep],
  },
  promoted_closed: {
    title: 'the new shard is promoted, and its {registration} keeps every job from it',
    symptom: 'somebody paused the new {registration} right after a deployment',
    because: 'its process runs, so that opening it is enough; it is proven first',
    commands: [activateStep(), finalizeStep],
  },
  rollback_possible: {
    title: 'the new shard is not proven to serve, and the old one is still there',
    symptom: 'customers wait, right after a deployment',
    because:
      'as long as the old process runs, opening it again is enough; one that was stopped is started again and proven first',
    commands: [rollbackStep, finalizeStep],
  },
} satisfies Entries;

const candidates = {
  candidate_serves: {
    title: 'the inactive shard serves jobs',
    symptom: '`InactiveShardHealthy`',
    because:
      'an inactive shard that serves is never touched; made active as a whole it is a deployment of its own',
    commands: [activateStep(), finalizeStep],
  },
  two_instances: {
    title: 'several instances have the name of the shard',
    symptom: 'two instances in the EC2 console with one Name',
    because:
      'the one that is in no infrastructure state is ended; where no state tells, the youngest',
    commands: [recoverStep('terminate --instance {id}'), finalizeStep],
  },
  retreat_unfinished: {
    title: 'the way back of a candidate was begun and not finished',
    symptom: '`Retreated`, or its phase is `retreating`',
    because: 'whoever comes next finishes it first',
    commands: [recoverStep('auto'), finalizeStep],
  },
  registration_gone: {
    title: "the candidate's {record} was deleted in {registry}",
    symptom: '{registry} has no such {registration} any more',
    because: 'its token died with it, and a {manager} never registers by itself',
    commands: [recoverStep('cleanup'), finalizeStep],
  },
  state_lost: {
    title: 'machines of the candidate are in no infrastructure state',
    symptom: 'Terraform wants to create what is there',
    because: 'an apply would build a second one beside it',
    commands: [recoverStep('terminate --instance {id}'), finalizeStep],
  },
  resources_gone: {
    title: "the candidate's machine is gone, its infrastructure is not",
    symptom: 'the instance was terminated by hand',
    because: 'an apply builds it again',
    commands: [recoverStep('rerun'), finalizeStep],
  },
  instance_silent: {
    title: "the candidate's machine does not answer",
    symptom: 'the SSM agent is lost, or the instance hangs',
    because: 'nothing on it can be asked; it is ended, and a new one is built in its place',
    commands: [recoverStep('terminate --instance {id}'), finalizeStep],
  },
  candidate_unhealthy: {
    title: 'the candidate was found unhealthy',
    symptom: '`HealthcheckTimedOut` or `CanaryFailed`',
    because: 'the easiest rung that can help is taken',
    commands: [recoverStep('auto'), finalizeStep],
  },
  provision_unfinished: {
    title: 'the candidate is not promoted yet',
    symptom: 'a red or cancelled provision, and one shard serves',
    because: 'a stage that is run again looks first, and does what is left',
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
 * What may be wrong with a stack, and what to type; for doctor, the runbook and the tests. The order is the
 * order in which it is mended.
 */
export const findingEntries: Readonly<Record<FindingCode, FindingEntry>> = all;

export const findingCodes = Object.keys(findingEntries) as readonly FindingCode[];
