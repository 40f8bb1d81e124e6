import { createHash } from 'node:crypto';
import type { Instance } from '../instance.ts';
import { runnerTakes } from '../protocol/matching.ts';
import type { Job, Runner } from '../state.ts';

const HOUR_MS = 60 * 60 * 1000;
/** After this the value is forgotten, and a request reaches GitLab proper again. */
const KEPT_FOR_MS = HOUR_MS;
/** A runner that was heard of before that has no queue worth telling. */
const RECENT_MS = 3 * HOUR_MS;

/** What the runner's queue is called now, if it is called anything. */
export function queueValue(instance: Instance, runner: Runner): string | undefined {
  const { queue } = runner;
  if (queue === undefined || instance.now() - queue.madeAt >= KEPT_FOR_MS) return undefined;
  return queue.value;
}

export function ensureQueueValue(instance: Instance, runner: Runner): string {
  return queueValue(instance, runner) ?? renew(instance, runner);
}

/** Whatever is held for this runner is let go: something about it changed. */
export function tickQueue(instance: Instance, runner: Runner): void {
  renew(instance, runner);
  instance.waiting.release(runner.id);
}

/** A job waits: every runner that could take it and was heard of lately is told to ask. */
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
