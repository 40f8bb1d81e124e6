import {
  activateStep,
  deployStep,
  doctorStep,
  finalizeStep,
  fixStep,
  rollbackStep,
} from './commands.ts';
import type { FindingEntry } from './finding.ts';
import { leftoverEntries } from './signs/leftover-signs.ts';

/** Findings of an old shard that was reopened and whose retirement is blocked. */
export const reopeningEntries = {
  opened_twice: {
    title: 'the old shard was reopened twice, because the new one stopped accepting jobs',
    symptom: '`OpenedAgainTwice`',
    because: 'it is not paused a third time for an unstable shard; an operator decides',
    commands: [rollbackStep, finalizeStep],
    byHand: 'Decide which shard should accept jobs',
  },
  opened_by_other: {
    title: 'another actor reopened the old shard after its drain had paused it',
    symptom: '`OpenedByOther`',
    because: 'it is not paused again automatically; an operator decides',
    commands: [rollbackStep, finalizeStep],
    byHand: 'Decide which shard should accept jobs',
  },
} satisfies Readonly<Record<string, FindingEntry>>;

/** Findings of an unfinished retirement, of leftovers without a deployment, and of health. */
export const retirementEntries = {
  drain_waits: {
    title: 'the old shard still has jobs',
    symptom: 'a drain that does not end',
    because: 'by default, no job is killed; the drain continues when the last job has ended',
    commands: [finalizeStep],
    byHand: 'Wait, or cancel hanging jobs in {registry}',
  },
  drain_unheard: {
    title: 'the old shard has no job left, but its process still runs',
    symptom: 'a drain whose signal was lost',
    because: 'the signal is repeated until the exit is confirmed',
    commands: [finalizeStep],
  },
  retirement_unfinished: {
    title: 'the old shard is not removed yet',
    symptom: 'two shards or a half-destroyed one, and no running pipeline',
    because: '`finalize` does the remaining steps from the drain to the end',
    commands: [finalizeStep],
  },
  both_serve: {
    title: 'both shards accept jobs, and no deployment is unfinished',
    symptom: 'two shards exist without a deployment',
    because: 'the active shard is verified again, then the inactive one is drained and removed',
    commands: [activateStep(), finalizeStep],
  },
  inactive_serves: {
    title: 'only the inactive shard accepts jobs, and no deployment is unfinished',
    symptom: 'only a manually started {manager} runs jobs',
    because:
      'the shard that accepts jobs is verified and made active, then the other shard is removed',
    commands: [activateStep(), finalizeStep],
  },
  inactive_left: {
    title: 'parts of the inactive shard exist, and no deployment is unfinished',
    symptom: 'a manually started {manager}, or remains of an old destroy',
    because: 'the active shard is verified again, then the inactive one is drained and removed',
    commands: [activateStep(), finalizeStep],
  },
  active_irregular: {
    title: 'the active shard accepts jobs, but differs from what an apply builds',
    symptom: "the active shard's Terraform state, token or one of two instances is missing",
    because:
      'a new deployment builds the other shard and removes this one, including resources in no state',
    commands: [deployStep],
  },
  runner_missing: {
    title: 'a process of the active shard runs without a runner in GitHub',
    symptom: 'GitHub: fewer runners than hosts, and no host waits for a token',
    because:
      'its runner was deleted, or its only job went to another runner (`Skipping message Job` in its `_diag`); the process polls without getting a job and does not recover by itself',
    commands: [deployStep],
    byHand: 'If the runner is ephemeral, restart its unit to register it again',
  },
  clock_off: {
    title: "a host's clock is wrong",
    symptom: 'certificates are not yet valid, or have expired',
    because: 'certificates and signed requests fail until it is set',
    commands: [doctorStep],
    byHand:
      'Check that the host, or the machine that reports this, reaches its time server (169.254.169.123 on AWS)',
  },
  runner_token_ends: {
    title: 'the token of a {registration} expires soon or has expired',
    symptom: 'a {manager} that suddenly gets `403 Forbidden`; a date in `status`',
    because:
      '{registry} is configured to expire the tokens of new {registration}s; a host that reads its token from Parameter Store has no other token',
    commands: [deployStep],
    byHand:
      'Deploy before the token expires, or increase the lifetime of new tokens (Admin area, Settings, CI/CD, Runners)',
  },
  version_ends: {
    title: "GitHub soon ends support for the version of the stack's runners, or has ended it",
    symptom: 'GitHub: a runner that listens and gets no job; a date in `status`',
    because:
      'after that day, a runner registers and listens but gets no job; only a newer image or archive helps',
    commands: [deployStep],
    byHand: 'Use a newer runner version in the image or in `archive_url`',
  },
  ...leftoverEntries,
  lock_stale: {
    title: 'the lock of an ended run is left',
    because: 'its owner is proven to have ended; the next stage would also take it over',
    commands: [fixStep],
    fixes: 'release_lock',
  },
  healthy: {
    title: 'one shard accepts jobs, and nothing is unfinished',
    because: 'record, status, {registry} and AWS agree',
    commands: [],
  },
} satisfies Readonly<Record<string, FindingEntry>>;
