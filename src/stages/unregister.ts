import { isDead } from '../domain/instance.ts';
import { shardEntry, withShard } from '../domain/record.ts';
import { judgeRemoval, type RemovalLook } from '../domain/removal.ts';
import type { RegistrationId, Shard } from '../domain/shard.ts';
import { drainUnfinished } from '../errors/drain.ts';
import { isPortFailure } from '../ports/failure.ts';
import { seen as found, lookUntil, notYet } from '../ports/look-until.ts';
import type { Worker, WorkerRemoval } from '../ports/registry.ts';
import { type StageContext, timestamp } from './context.ts';
import { hostWords } from './drain-look.ts';
import { gate } from './effect.ts';
import { irreversible } from './irreversible.ts';

/** Before the CI ends this job there must be time to say that the removal goes on. */
const marginMs = 60_000;

/**
 * Where a removal proves that a worker is idle, it is the drain's last word: whoever is removed never
 * gets a job again, and whoever is busy is not removed. Only then may processes be stopped. Its
 * beginning and its end are in the record, so that no later run takes a removed worker for one that
 * never came.
 */
export async function removeWorkers(context: StageContext, shard: Shard): Promise<void> {
  const { ports, journal, log } = context;
  const entry = shardEntry(journal.current(), shard);
  const { registration } = entry;
  if (!ports.registry.traits.removalProvesIdle || registration === undefined) return;
  if (entry.removal === undefined) {
    await gate(context, shard);
    const began = { began: timestamp(context) };
    await journal.write(withShard(journal.current(), shard, { removal: began }));
  }
  const leftOver = await untilGone(context, shard, registration);
  for (const { id, systemId } of leftOver) {
    log.warn(
      `Left over: runner ${id} "${systemId}" is still listed as busy, though its process has ended. Its job is lost; it is removed once nobody holds it for busy any more.`,
    );
  }
  const { removal } = shardEntry(journal.current(), shard);
  if (removal === undefined || removal.ended !== undefined) return;
  const ended = { ...removal, ended: timestamp(context) };
  await journal.write(withShard(journal.current(), shard, { removal: ended }));
  log.act(`Removed every runner of ${shard}: none of them gets a job again.`);
}

async function untilGone(
  context: StageContext,
  shard: Shard,
  registration: RegistrationId,
): Promise<readonly Worker[]> {
  const { ports, log, settings, run, stage } = context;
  const seen = new Set<string>();
  const spare = new Set<number>();
  return lookUntil({ clock: ports.clock, cadence: { pollMs: marginMs } }, async () => {
    await gate(context, shard);
    const look = await removeOnce(context, { shard, registration, seen, spare });
    const judgement = judgeRemoval(look);
    log.event({ kind: 'removal', shard, judgement });
    if (judgement.kind === 'gone') return found(judgement.leftOver);
    const { reason, forMs } = judgement;
    if (run.deadline !== undefined && ports.clock.now() + forMs >= run.deadline - marginMs) {
      throw drainUnfinished({ runner: settings.runnerName, shard, stage, reason, jobs: [] });
    }
    log.wait(`Waiting: ${reason}.`);
    return notYet({ kind: 'asked', againInMs: forMs });
  });
}

async function removeOnce(
  context: StageContext,
  {
    shard,
    registration,
    seen,
    spare,
  }: { shard: Shard; registration: RegistrationId; seen: Set<string>; spare: Set<number> },
): Promise<RemovalLook> {
  const { ports, journal } = context;
  const { registry } = await irreversible(context, shard);
  const removals = await registry.retireWorkers(registration, { spare: [...spare] });
  for (const { worker, outcome } of removals) {
    if (worker.hostId !== undefined) seen.add(worker.hostId);
    if (outcome === 'busy' && worker.ephemeral === true) spare.add(worker.id);
  }
  const hosts = await hostWords(context, shard);
  const applied = shardEntry(journal.current(), shard).lastApply?.at;
  return {
    removals,
    hosts,
    deadHosts: await deadHosts(context, removals),
    seenHosts: [...seen],
    sinceApplyMs: applied === undefined ? Infinity : ports.clock.now() - Date.parse(applied),
  };
}

/** Asked only while somebody is held for busy. */
async function deadHosts(
  { ports }: StageContext,
  removals: readonly WorkerRemoval[],
): Promise<readonly string[]> {
  const dead: string[] = [];
  for (const { worker, outcome } of removals) {
    if (worker.hostId === undefined || (outcome !== 'busy' && outcome !== 'spared')) continue;
    try {
      const instance = await ports.instances.find(worker.hostId);
      if (instance !== undefined && isDead(instance)) dead.push(worker.hostId);
    } catch (error) {
      if (!isPortFailure(error)) throw error;
    }
  }
  return dead;
}
