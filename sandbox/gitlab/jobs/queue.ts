import { createHash } from 'node:crypto';
import type { Instance } from '../instance.ts';
import { runnerTakes } from '../protocol/matching.ts';
import type { Job, Runner } from '../state.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Time after which the value is deleted, and Workhorse passes requests on. */
const KEPT_FOR_MS = HOUR_MS;
/** Time since the last contact for which a runner's queue is updated. */
const RECENT_MS = 3 * HOUR_MS;

/** Returns the current value of the runner's queue, if there is one. */
export function queueValue(instance: Instance, runner: Runner): string | undefined {
  const { queue } = runner;
  if (queue === undefined || instance.now() - queue.madeAt >= KEPT_FOR_MS) return undefined;
  return queue.value;
}

export function ensureQueueValue(instance: Instance, runner: Runner): string {
  return queueValue(instance, runner) ?? renew(instance, runner);
}

/** Releases held requests of a runner after a change that concerns it. */
export function tickQueue(instance: Instance, runner: Runner): void {
  renew(instance, runner);
  instance.waiting.release(runner.id);
}

/** Releases the requests of every recent runner that may run a new job. */
export function tickQueuesFor(instance: Instance, job: Job): void {
  const since = instance.now() - RECENT_MS;
  for (const runner of instance.state.runners) {
    const isRecent = runner.contactedAt !== null && runner.contactedAt > since;
    if (isRecent && !runner.paused && runnerTakes(instance, runner, job)) {
      tickQueue(instance, runner);
    }
  }
}

function renew(instance: Instance, runner: Runner): string {
  instance.state.queueValue += 1;
  const value = createHash('sha256')
    .update(`${runner.id}/${instance.state.queueValue}`)
    .digest('hex')
    .slice(0, 32);
  runner.queue = { value, madeAt: instance.now() };
  instance.changed();
  return value;
}
