import { shardEntry, withPhase } from '../../../domain/deployment/record.ts';
import type { Shard } from '../../../domain/shard.ts';
import { PortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { Registration } from '../../../ports/registry.ts';
import { type StageContext, timestamp, wordsOf } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import type { StepResult } from '../../context/result.ts';
import { ensure, gate } from '../../effects/effect-gate.ts';
import { irreversible, onlyIfOtherServes } from '../../service/irreversible.ts';
import { drainUnbaked } from '../drain/drain.ts';
import { withDrainTally } from '../drain/drain-tally.ts';
import { refuseUnasked, requireStillDrained } from './recheck-before-removal.ts';
import { isRestored } from './restore-registration.ts';
import { removeLeftOver, removeWorkers } from './worker-deletion.ts';

/** GitHub ends a job whose runner is silent after about ten minutes, and then lets go of the runner. */
const leftoverChecks = 15;
const leftOverPauseMs = 60_000;

/** The step: drained proven once more, in this run, before the registration goes. */
export async function deregister(context: StageContext, retiring: Shard): Promise<StepResult> {
  const { journal, log } = context;
  // Only after all the rest was gone.
  if (isRestored(context, retiring))
    return { kind: 'nothing', reason: `the registration of ${retiring} is given back` };
  if (await isGoneByUs(context, retiring)) {
    log.act(`Found the registration of ${retiring} removed already, by this deployment.`);
    return { kind: 'done' };
  }
  // From `destroying` on it was asked, and half of it may be gone.
  if (journal.current().deployment.phase !== 'destroying') await refuseUnasked(context, retiring);
  const drained = await withGuardEvent(context, 'drained', () => drainUnbaked(context, retiring));
  log.act(`Proved once more that ${retiring} is drained: ${drained.reason}.`);
  let known: Registration | undefined;
  if (journal.current().deployment.phase !== 'destroying') {
    known = drained.known;
    // From `destroying` on there is no way back, so that it is asked before that is written.
    const removal = { act: 'deregister', shard: retiring, known } as const;
    const proof = await onlyIfOtherServes(context, removal);
    const snapshot = await gate(context, retiring, proof);
    const counted = withDrainTally(journal.current(), drained.tally);
    await journal.write(withPhase(counted, 'destroying', timestamp(context)), snapshot);
  }
  await removeRegistration(context, retiring, known);
  return { kind: 'done' };
}

/** `destroying` is written before the removal, and only after the drain was proven. */
async function isGoneByUs({ journal, ports }: StageContext, shard: Shard): Promise<boolean> {
  const { registration } = shardEntry(journal.current(), shard);
  if (journal.current().deployment.phase !== 'destroying') return false;
  return registration === undefined || (await ports.registry.find(registration)).kind === 'absent';
}

/**
 * Remove the runner before its machine, or a job can land on a dying host.
 * @param known the registration, if it was read a moment ago
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
  // It stays closed until its shard is gone, and is given back then.
  if (routingBefore !== undefined) return;
  await ensure(context, {
    what: `Removed ${words.registration} ${registration} of ${shard} with its ${words.managers}`,
    shard,
    isNew: known !== undefined,
    isDone: async () => (await ports.registry.find(registration)).kind === 'absent',
    act: async () => {
      const look = () => requireStillDrained(context, shard);
      const { registry } = await irreversible(context, { act: 'deregister', shard, known, look });
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
 * Only after every worker is gone. One that is held for busy although its process has ended is
 * reported and left: its host may go, and the registry lets go of it by itself.
 */
async function removeWhatIsLeft(context: StageContext, shard: Shard): Promise<void> {
  const { journal, ports, names, log } = context;
  const { registration } = shardEntry(journal.current(), shard);
  if (registration === undefined) return;
  await removeWorkers(context, shard);
  await gate(context, shard);
  const isGone = await pollUntil(
    { clock: ports.clock, cadence: { pollMs: leftOverPauseMs } },
    async (looks) => {
      const { registry } = await irreversible(context, { act: 'deregister', shard });
      if ((await registry.retire(registration)) !== 'busy') return done(true);
      if (looks > leftoverChecks) return done(false);
      await removeLeftOver(context, shard);
      log.wait(`Waiting: a runner of ${shard} whose process has ended is still held for busy.`);
      return pending();
    },
  );
  if (isGone) {
    log.act(`Removed what was written of the runners of ${shard}.`);
    return;
  }
  await ports.parameters.remove(names.fleet(shard));
  log.warn(`Removed what was written of the runners of ${shard}; one is left over in the list.`);
}
