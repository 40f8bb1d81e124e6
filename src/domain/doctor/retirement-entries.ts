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
    because: 'hosted-runner does not pause the old shard a third time',
    commands: [rollbackStep, finalizeStep],
    byHand: 'Decide which shard should accept jobs',
  },
  opened_by_other: {
    title: 'another user or program unpaused the old shard after its drain had paused it',
    symptom: '`OpenedByOther`',
    because: 'hosted-runner does not pause it again',
    commands: [rollbackStep, finalizeStep],
    byHand: 'Decide which shard should accept jobs',
  },
} satisfies Readonly<Record<string, FindingEntry>>;

/** Findings of an unfinished retirement, of leftovers without a deployment, and of health. */
export const retirementEntries = {
  drain_waits: {
    title: 'the old shard still has jobs',
    symptom: 'a drain does not end',
    because: 'by default, no job is killed; the drain ends when the last job has ended',
    commands: [finalizeStep],
    byHand: 'Wait, or cancel hanging jobs in {registry}',
  },
  drain_unheard: {
    title: 'the old shard has no job left, but its process still runs',
    symptom: 'the stop signal of a drain was lost',
    because: '`finalize` repeats the stop signal until the process has exited',
    commands: [finalizeStep],
  },
  retirement_unfinished: {
    title: 'the old shard is not removed yet',
    symptom: 'two shards or a half-destroyed one exist, and no pipeline runs',
    because: '`finalize` does the remaining steps, from the drain to the removal',
    commands: [finalizeStep],
  },
  both_serve: {
    title: 'both shards accept jobs, and no deployment is unfinished',
    symptom: 'two shards exist without a deployment',
    because:
      '`activate` verifies the active shard again, then `finalize` drains and removes the inactive one',
    commands: [activateStep(), finalizeStep],
  },
  inactive_serves: {
    title: 'only the inactive shard accepts jobs, and no deployment is unfinished',
    symptom: 'only a manually started {manager} runs jobs',
    because:
      '`activate` verifies this shard and makes it active, then `finalize` removes the other shard',
    commands: [activateStep(), finalizeStep],
  },
  inactive_left: {
    title: 'parts of the inactive shard exist, and no deployment is unfinished',
    symptom: 'a manually started {manager} runs, or an old destroy left resources',
    because:
      '`activate` verifies the active shard again, then `finalize` drains and removes the inactive one',
    commands: [activateStep(), finalizeStep],
  },
  active_irregular: {
    title: 'the active shard accepts jobs, but differs from what an apply builds',
    symptom: 'the active shard lacks its Terraform state, its token or an instance',
    because:
      'a new deployment builds the other shard and removes this one, including resources in no Terraform state',
    commands: [deployStep],
  },
  runner_missing: {
    title: 'a process of the active shard runs without a runner in GitHub',
    symptom: 'GitHub: fewer runners than hosts, and no host waits for a token',
    because:
      'the runner was deleted, or it is ephemeral and its job went to another runner (`Skipping message Job` in `_diag`); the process gets no job and does not recover by itself',
    commands: [deployStep],
    byHand: 'If the runner is ephemeral, restart its unit to register it again',
  },
  clock_off: {
    title: "a host's clock is wrong",
    symptom: 'certificates are not yet valid, or have expired',
    because: 'until the clock is correct, certificates and signed requests fail',
    commands: [doctorStep],
    byHand:
      'Check that the host, or the machine that runs doctor, reaches its time server (169.254.169.123 on AWS)',
  },
  runner_token_ends: {
    title: 'the token of a {registration} expires soon or has expired',
    symptom: 'a {manager} suddenly gets `403 Forbidden`, or `status` shows when a token expires',
    because:
      '{registry} is configured to limit the lifetime of tokens; a host gets its token only from Parameter Store, and cannot renew it',
    commands: [deployStep],
    byHand:
      'Deploy before the token expires, or increase the lifetime of new tokens (Admin area, Settings, CI/CD, Runners)',
  },
  version_ends: {
    title: "GitHub soon ends support for the version of the stack's runners, or has ended it",
    symptom: 'GitHub: a runner listens but gets no job, or `status` shows when support ends',
    because: 'without support, a runner registers and listens but gets no job',
    commands: [deployStep],
    byHand: 'Use a newer runner version in the image or in `archive_url`',
  },
  ...leftoverEntries,
  lock_stale: {
    title: 'a run has provably ended but left its lock',
    because: 'the next stage would also take this lock over',
    commands: [fixStep],
    fixes: 'release_lock',
  },
  healthy: {
    title: 'one shard accepts jobs, and nothing is unfinished',
    because: 'record, status, {registry} and AWS agree',
    commands: [],
  },
} satisfies Readonly<Record<string, FindingEntry>>;
