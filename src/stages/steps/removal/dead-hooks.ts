import type { WaitingHook } from '../../../domain/drain/lifecycle-hook.ts';
import { type HookProcess, judgeHook } from '../../../domain/drain/lifecycle-hook.ts';
import type { Shard } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { StageContext } from '../../context/context.ts';
import { gate } from '../../effects/effect-gate.ts';

/**
 * Completes terminating lifecycle hooks that no longer wait for anything. Otherwise a group holds
 * an instance that ended by itself until the hook's timeout. Returns their number, and never fails
 * a finished run.
 */
export async function completeDeadHooks(context: StageContext, shard: Shard): Promise<number> {
  const { settings, ports, log } = context;
  if (settings.aws.sweep === 'off') return 0;
  try {
    const place = { runnerName: settings.runnerName, shard };
    let completed = 0;
    for (const hook of await ports.hooks.listWaiting(place)) {
      if (await completeIfDead(context, hook)) completed += 1;
    }
    return completed;
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(`Not all lifecycle hooks of ${shard} were checked: ${error.message}.`);
    return 0;
  }
}

/** Lists the hooks that `completeDeadHooks` would complete, one line each; changes nothing. */
export async function planDeadHooks(context: StageContext, shard: Shard): Promise<string[]> {
  const { settings, ports, log } = context;
  if (settings.aws.sweep === 'off') return [];
  try {
    const plans: string[] = [];
    for (const hook of await ports.hooks.listWaiting({ runnerName: settings.runnerName, shard })) {
      const { kind, reason } = judgeHook(hook, await checkProcess(context, hook));
      const { hook: name, group, instanceId } = hook;
      if (kind === 'complete')
        plans.push(`complete the hook ${name} of ${group} for ${instanceId}, because ${reason}`);
    }
    return plans;
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(`The lifecycle hooks of ${shard} were not checked: ${error.message}.`);
    return [];
  }
}

async function completeIfDead(context: StageContext, hook: WaitingHook): Promise<boolean> {
  const { settings, ports, log } = context;
  const verdict = judgeHook(hook, await checkProcess(context, hook));
  const what = `hook ${hook.hook} of ${hook.group} for ${hook.instanceId}`;
  if (verdict.kind === 'leave') {
    log.act(`Left the ${what}: ${verdict.reason}.`);
    return false;
  }
  if (settings.aws.sweep === 'report') {
    log.warn(`The ${what} has nothing to wait for: ${verdict.reason}.`);
    return false;
  }
  // No job runs on the instance, so it does not matter whether the shard hosts this job's runner.
  await gate(context);
  if ((await ports.hooks.complete(hook)) === 'gone') return false;
  log.act(`Completed the ${what}: ${verdict.reason}.`);
  return true;
}

/** An unresponsive host may still run jobs. */
async function checkProcess(
  { settings, ports }: StageContext,
  { instance, instanceId }: WaitingHook,
): Promise<HookProcess> {
  if (instance !== 'alive' || settings.host.access === 'none') return 'unknown';
  const report = await ports.host.look(instanceId);
  if (report.kind === 'silent' || report.process === 'unknown') return 'unknown';
  return report.process === 'stopped' || report.process === 'absent' ? 'gone' : 'alive';
}
