import type { StackDiagnosisEntry } from './diagnosis.ts';

const on = (command: string) => `hosted-runner ${command} --runner {runner}`;
const doctor = on('doctor');
const fix = on('doctor --fix --yes');
const finalize = on('finalize');
const activate = on('activate --shard {shard}');
const deploy = on('deploy');

/** What is left of a retirement, what is there at rest and must not be, and health. */
export const retirementEntries = {
  drain_waits: {
    title: 'the old shard still has jobs',
    symptom: 'a drain that does not end',
    because: 'no timeout ends a customer’s job; when the last one has ended, the drain goes on',
    commands: [finalize],
    byHand: 'Wait, or cancel the jobs that hang in {registry}',
  },
  drain_unheard: {
    title: 'the old shard has no job left, and its process still runs',
    symptom: 'a drain whose signal was lost',
    because: 'the signal is sent again until the exit is proven',
    commands: [finalize],
  },
  retirement_unfinished: {
    title: 'the old shard is not removed yet',
    symptom: 'two shards alive, no pipeline running; a shard half destroyed',
    because: 'whatever is left from the drain to the end is done, in its order',
    commands: [finalize],
  },
  both_serve: {
    title: 'both shards serve, and no deployment is unfinished',
    symptom: 'two shards alive at rest',
    because: 'the active one proves itself once more, then the other one is drained and removed',
    commands: [activate, finalize],
  },
  inactive_left: {
    title: 'something of the inactive shard is there, and no deployment is unfinished',
    symptom: 'a {manager} started by hand, or what an old destroy left',
    because: 'the active one proves itself once more, then the other one is drained and removed',
    commands: [activate, finalize],
  },
  active_irregular: {
    title: 'the active shard serves, and is not as an apply would build it',
    symptom: 'its Terraform state, its token or one instance of two is gone',
    because:
      'a new deployment builds the other shard and removes this one, also what no state knows',
    commands: [deploy],
  },
  clock_off: {
    title: "a host's clock is wrong",
    symptom: 'certificates are not yet valid, or have expired',
    because: 'certificates and signed requests fail until it is set',
    commands: [doctor],
    byHand:
      'See that the host, or the machine that says so, reaches its time server (169.254.169.123 on AWS)',
  },
  lock_stale: {
    title: 'the lock of a job that has ended is left',
    because: 'its owner is proven to have ended; the next stage would take it over as well',
    commands: [fix],
    fixes: 'release_lock',
  },
  healthy: {
    title: 'one shard serves, and nothing is unfinished',
    because: 'record, status, {registry} and AWS tell the same story',
    commands: [],
  },
} satisfies Readonly<Record<string, StackDiagnosisEntry>>;
