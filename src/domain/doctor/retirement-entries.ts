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

/** The old shard is open again, and its retirement cannot go on. */
export const reopeningEntries = {
  opened_twice: {
    title: 'the old shard was opened again twice, because the new one stopped serving',
    symptom: '`OpenedAgainTwice`',
    because: 'it is not closed once more for a shard that comes and goes; a person decides',
    commands: [rollbackStep, finalizeStep],
    byHand: 'Decide which one is to serve',
  },
  opened_by_other: {
    title: 'somebody has opened the old shard, which its drain had closed',
    symptom: '`OpenedByOther`',
    because: 'what a person has opened is not closed again by itself; a person decides',
    commands: [rollbackStep, finalizeStep],
    byHand: 'Decide which one is to serve',
  },
} satisfies Readonly<Record<string, FindingEntry>>;

/** What is left of a retirement, what is there at rest and must not be, and health. */
export const retirementEntries = {
  drain_waits: {
    title: 'the old shard still has jobs',
    symptom: 'a drain that does not end',
    because: 'no timeout ends a customer’s job; when the last one has ended, the drain goes on',
    commands: [finalizeStep],
    byHand: 'Wait, or cancel the jobs that hang in {registry}',
  },
  drain_unheard: {
    title: 'the old shard has no job left, and its process still runs',
    symptom: 'a drain whose signal was lost',
    because: 'the signal is sent again until the exit is proven',
    commands: [finalizeStep],
  },
  retirement_unfinished: {
    title: 'the old shard is not removed yet',
    symptom: 'two shards alive, no pipeline running; a shard half destroyed',
    because: 'whatever is left from the drain to the end is done, in its order',
    commands: [finalizeStep],
  },
  both_serve: {
    title: 'both shards serve, and no deployment is unfinished',
    symptom: 'two shards alive at rest',
    because: 'the active one proves itself once more, then the other one is drained and removed',
    commands: [activateStep(), finalizeStep],
  },
  inactive_serves: {
    title: 'the inactive shard serves and the active one does not, and no deployment is unfinished',
    symptom: 'a {manager} started by hand is all that runs jobs',
    because: 'the one that serves is proven and made active, then the other one is removed',
    commands: [activateStep(), finalizeStep],
  },
  inactive_left: {
    title: 'something of the inactive shard is there, and no deployment is unfinished',
    symptom: 'a {manager} started by hand, or what an old destroy left',
    because: 'the active one proves itself once more, then the other one is drained and removed',
    commands: [activateStep(), finalizeStep],
  },
  active_irregular: {
    title: 'the active shard serves, and is not as an apply would build it',
    symptom: 'its Terraform state, its token or one instance of two is gone',
    because:
      'a new deployment builds the other shard and removes this one, also what no state knows',
    commands: [deployStep],
  },
  runner_missing: {
    title: 'a process of the active shard runs whose {manager} {registry} does not know',
    symptom: 'fewer {managers} than hosts, and none of them waits for a token',
    because:
      'somebody removed it, or it was to run one job that was given to another one (`Skipping message Job` in its `_diag`); either way it polls and gets none, and nothing on its host ends that',
    commands: [deployStep],
    byHand: 'Restart its unit if it is ephemeral, which registers it anew',
  },
  clock_off: {
    title: "a host's clock is wrong",
    symptom: 'certificates are not yet valid, or have expired',
    because: 'certificates and signed requests fail until it is set',
    commands: [doctorStep],
    byHand:
      'See that the host, or the machine that says so, reaches its time server (169.254.169.123 on AWS)',
  },
  runner_token_ends: {
    title: 'the token of a {registration} ends, or has ended',
    symptom: 'a {manager} that is refused from one minute on (`403 Forbidden`); a date in `status`',
    because:
      '{registry} was told to end the tokens of new {registration}s after an interval; a host that reads its token from Parameter Store has no other',
    commands: [deployStep],
    byHand:
      'Deploy more often than the interval is long, or lengthen it (Admin area, Settings, CI/CD, Runners)',
  },
  version_ends: {
    title: "the version of the stack's {managers} ends, or has ended",
    symptom: 'a {manager} that listens and gets no job; a date in `status`',
    because:
      'from that day on it registers, listens, and is given no job; nothing on a host replaces it but a newer image or archive',
    commands: [deployStep],
    byHand: 'Build the image, or set `archive_url`, with a newer version of the runner',
  },
  ...leftoverEntries,
  lock_stale: {
    title: 'the lock of a job that has ended is left',
    because: 'its owner is proven to have ended; the next stage would take it over as well',
    commands: [fixStep],
    fixes: 'release_lock',
  },
  healthy: {
    title: 'one shard serves, and nothing is unfinished',
    because: 'record, status, {registry} and AWS tell the same story',
    commands: [],
  },
} satisfies Readonly<Record<string, FindingEntry>>;
