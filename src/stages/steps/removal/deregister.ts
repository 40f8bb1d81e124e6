import { shardEntry, withPhase } from '../../../domain/deployment/record.ts';
import type { Shard } from '../../../domain/shard.ts';
import { PortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { Registration } from '../../../ports/registry.ts';
import { type StageContext, timestamp, wordsOf } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import type { StepResult } from '../../context/result.ts';
import { ensure, gate } from '../../effects/effect-gate.ts';
import { irreversible, proveRemovable } from '../../service/irreversible.ts';
import { drainUnbaked } from '../drain/drain.ts';
import { withDrainTally } from '../drain/drain-tally.ts';
import { refuseUnasked, requireStillDrained } from './recheck-before-removal.ts';
import { isRestored } from './restore-registration.ts';
import { removeLeftOver, removeWorkers } from './worker-deletion.ts';

/** GitHub ends a job about ten minutes after its runner's last response, and frees the runner. */
const leftoverChecks = 15;
const leftOverPauseMs = 60_000;

/** Proves the drain again in this run and then removes the runner. */
export async function deregister(context: StageContext, retiring: Shard): Promise<StepResult> {
  const { journal, log } = context;
  // The runner is restored only after everything else is removed.
  if (isRestored(context, retiring))
    return { kind: 'nothing', reason: `the runner of ${retiring} is restored` };
  if (await isGoneByUs(context, retiring)) {
    log.act(`Found the runner of ${retiring} already removed by this deployment.`);
    return { kind: 'done' };
  }
  // From `destroying` on, this was checked before, and hosts may already be removed.
  if (journal.current().deployment.phase !== 'destroying') await refuseUnasked(context, retiring);
  const drained = await withGuardEvent(context, 'drained', () => drainUnbaked(context, retiring));
  log.act(`Confirmed again that ${retiring} is drained: ${drained.reason}.`);
  let known: Registration | undefined;
  if (journal.current().deployment.phase !== 'destroying') {
    known = drained.known;
    // No rollback is possible from `destroying` on, so the other shard is verified before that
    // phase is written.
    const removal = { act: 'deregister', shard: retiring, known } as const;
    const proof = await proveRemovable(context, removal);
    const snapshot = await gate(context, retiring, proof);
    const counted = withDrainTally(journal.current(), drained.tally);
    await journal.write(withPhase(counted, 'destroying', timestamp(context)), snapshot);
  }
  await removeRegistration(context, retiring, known);
  return { kind: 'done' };
}

/**
 * Decides whether this deployment removed the runner. `destroying` is written before the removal,
 * and only after the drain was proven.
 */
async function isGoneByUs({ journal, ports }: StageContext, shard: Shard): Promise<boolean> {
  const { registration } = shardEntry(journal.current(), shard);
  if (journal.current().deployment.phase !== 'destroying') return false;
  return registration === undefined || (await ports.registry.find(registration)).kind === 'absent';
}

/**
 * Removes the runner before its machine; otherwise a job could start on a dying host.
 * @param known the runner, if it was read a moment ago
 */
export async function removeRegistration(
  context: StageContext,
  shard: Shard,
  known?: Registration,
): Promise<void> {
  const { journal, ports } = context;
  const words = wordsOf(context);
  const { registration, routingBefore } = shardEntry(journal.current(), shard);
  if (registration === undefined) return;
  if (ports.registry.traits.registrationsPer === 'worker') return removeWhatIsLeft(context, shard);
  // The runner of an operator stays paused until its shard is removed, and is restored then.
  if (routingBefore !== undefined) return;
  await ensure(context, {
    what: `Removed ${words.registration} ${registration} of ${shard} with its ${words.managers}`,
    shard,
    isNew: known !== undefined,
    isDone: async () => (await ports.registry.find(registration)).kind === 'absent',
    act: async () => {
      const recheck = () => requireStillDrained(context, shard);
      const { registry } = await irreversible(context, {
        act: 'deregister',
        shard,
        known,
        check: recheck,
      });
      if ((await registry.retire(registration)) !== 'busy') return;
      throw new PortFailure({
        kind: 'refused',
        effect: 'none',
        source: `${words.registry} ${words.registration} ${registration}`,
        detail: 'the runner is busy',
      });
    },
  });
  context.memory.removed.add(registration);
}

/**
 * Removes the runners that are left after all workers are gone. A runner that the registry reports
 * as busy although its process has ended is reported and left. Its host may be removed, and the
 * registry releases the runner later.
 */
async function removeWhatIsLeft(context: StageContext, shard: Shard): Promise<void> {
  const { journal, ports, names, log } = context;
  const { registration } = shardEntry(journal.current(), shard);
  if (registration === undefined) return;
  await removeWorkers(context, shard);
  await gate(context, shard);
  const isGone = await pollUntil(
    { clock: ports.clock, cadence: { pollMs: leftOverPauseMs } },
    async (checks) => {
      const { registry } = await irreversible(context, { act: 'deregister', shard });
      if ((await registry.retire(registration)) !== 'busy') return done(true);
      if (checks > leftoverChecks) return done(false);
      await removeLeftOver(context, shard);
      log.wait(`Waiting: a runner of ${shard} whose process has ended still counts as busy.`);
      return pending();
    },
  );
  if (isGone) {
    log.act(`Removed the stored data of the runners of ${shard}.`);
    return;
  }
  await ports.parameters.remove(names.fleet(shard));
  log.warn(`Removed the stored data of the runners of ${shard}; one runner is still listed.`);
}
