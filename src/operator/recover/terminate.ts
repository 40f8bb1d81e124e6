import { isBuilt } from '../../domain/deployment/stages-and-steps.ts';
import { chooseInstance, isDead, isEndable } from '../../domain/instance.ts';
import type { Shard } from '../../domain/shard.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { inShell } from '../../domain/text/shell-quoting.ts';
import { cannotRecover } from '../../errors/recovery-errors.ts';
import type { Instance } from '../../ports/cloud/instances.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { cancelEveryCanary } from '../../stages/effects/cancel-canary.ts';
import { ensure, gate } from '../../stages/effects/effect-gate.ts';
import { irreversible } from '../../stages/service/irreversible.ts';
import { noteApplying } from '../../stages/steps/candidate/apply.ts';
import { completeDeadHooks } from '../../stages/steps/removal/dead-hooks.ts';

/**
 * Wait for the end of an instance. Terraform counts an instance that is shutting down as existing
 * and plans no new one.
 */
const endedWithinMs = 300_000;
const checkEveryMs = 5000;

/** Terminates the only instance with the shard's Name tag; refuses none or several. */
export async function terminateInstance(
  context: StageContext,
  shard: Shard,
  id: string | undefined,
): Promise<void> {
  const { ports, settings } = context;
  const place = { runnerName: settings.runnerName, shard };
  const instance = await chooseOne(context, shard, id);
  const rehearsed = await ports.instances.rehearseTermination(instance.id);
  if (rehearsed.kind === 'denied') throw refuse(context, rehearsed.reason);
  await cancelEveryCanary(context);
  await voidEvidence(context, shard);
  await ensure(context, {
    what: `Terminated ${instance.id} of ${shard}, launched ${instance.launchedAt}`,
    shard,
    isDone: async () => {
      const found = await ports.instances.find(instance.id);
      return found !== undefined && !isEndable(found);
    },
    act: async () => {
      const { instances } = await irreversible(context, { act: 'change', shard });
      return instances.terminate({ id: instance.id, shard: place });
    },
  });
  await waitForEnd(context, instance.id);
  await cancelEveryCanary(context, { machineIsGone: true });
  await completeDeadHooks(context, shard);
}

/** Voids the candidate's evidence, which was collected on this machine. */
async function voidEvidence(context: StageContext, shard: Shard): Promise<void> {
  const { candidate, phase } = context.journal.current().deployment;
  if (candidate !== shard || !isBuilt(phase)) return;
  await gate(context, shard);
  await noteApplying(context, shard);
}

async function waitForEnd({ ports, log }: StageContext, id: string): Promise<void> {
  const startedAt = ports.clock.elapsed();
  await pollUntil({ clock: ports.clock, cadence: { pollMs: checkEveryMs } }, async () => {
    const found = await ports.instances.find(id);
    if (found === undefined || isDead(found)) return done(true);
    const waitedMs = ports.clock.elapsed() - startedAt;
    if (waitedMs >= endedWithinMs) {
      log.warn(
        `${id} is still ${found.state}, ${formatDuration(waitedMs)} after the request to terminate it.`,
      );
      return done(false);
    }
    log.wait(`Waiting for ${id} to terminate: ${found.state} (${formatDuration(waitedMs)}).`);
    return pending();
  });
}

async function chooseOne(
  context: StageContext,
  shard: Shard,
  id: string | undefined,
): Promise<Instance> {
  const { ports, settings } = context;
  const listed = await ports.instances.list({ runnerName: settings.runnerName, shard });
  const chosen = chooseInstance(id === undefined ? listed : listed.filter((one) => one.id === id));
  if (chosen.kind === 'one') return chosen.instance;
  if (chosen.kind === 'none') {
    const what = id === undefined ? 'no instance' : `no existing instance ${id}`;
    throw refuse(context, `${what} has the Name tag of ${shard}`);
  }
  const ids = chosen.instances.map((one) => one.id);
  throw refuse(context, `several instances have the Name tag of ${shard}: ${ids.join(', ')}`, ids);
}

function refuse({ settings }: StageContext, reason: string, ids: readonly string[] = []) {
  const runner = settings.runnerName;
  return cannotRecover({
    runner,
    method: 'terminate',
    reason,
    next: ids.map((id) => ({
      text: `If it is ${id}`,
      command: 'recover',
      runner,
      more: inShell`--method terminate --instance ${id}`,
      wantsYes: true as const,
    })),
  });
}
