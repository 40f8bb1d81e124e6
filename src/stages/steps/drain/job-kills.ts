import { reportsNone, runsJobs } from '../../../domain/drain/drain-by-hosts.ts';
import type { HostReading } from '../../../domain/drain/drain-check.ts';
import type { Shard } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { RegistryJob } from '../../../ports/registry.ts';
import { type StageContext, warnOnce, wordsOf } from '../../context/context.ts';
import { gate } from '../../effects/effect-gate.ts';
import { listHostReadings } from '../../observe/drain-observation.ts';
import { irreversible } from '../../service/irreversible.ts';
import type { DrainCount } from './drain-tally.ts';

/** Killer of a shard's jobs after `drain.force_after`, once for each runner process. */
export interface JobKiller {
  /** Returns one sentence for each host that did not confirm the end of its process. */
  kill(jobs: readonly RegistryJob[], count: DrainCount | undefined): Promise<readonly string[]>;
}

/** Pause before the command is sent again to a host that refused or never received it. */
const retryMs = 60_000;

/** Result of the last command to one host. */
interface Attempt {
  readonly at: number;
  readonly effect: 'done' | 'none' | 'unknown';
  readonly detail: string;
}

export function createJobKiller(context: StageContext, shard: Shard): JobKiller {
  const { ports, settings } = context;
  const attempts = new Map<string, Attempt>();
  return {
    async kill(jobs, count) {
      await gate(context, shard);
      const place = { runnerName: settings.runnerName, shard };
      const listed = (await ports.host.list(place)).map(({ id }) => id);
      const words = listed.length === 0 ? [] : await listHostReadings(context, shard);
      const due = listed.filter((id) => {
        const word = words.find(({ host }) => host === id);
        return isDue(word, attempts.get(id), ports.clock.elapsed());
      });
      if (due.length > 0) await count?.killing(jobs);
      for (const id of due) attempts.set(id, await killOn(context, shard, { id, jobs }));
      const running = words.filter(({ kind }) => kind !== 'stopped').map(({ host }) => host);
      return [...attempts].flatMap(([id, { effect, detail }]) =>
        effect === 'done' || !running.includes(id)
          ? []
          : [`host ${id} could not be stopped: ${detail}`],
      );
    },
  };
}

/**
 * Decides whether the host needs the command. After a lost response, the host must report that its
 * process still runs jobs.
 */
function isDue(word: HostReading | undefined, last: Attempt | undefined, now: number): boolean {
  if (word !== undefined && reportsNone(word)) return false;
  if (last === undefined) return true;
  if (last.effect === 'done' || now - last.at < retryMs) return false;
  return last.effect === 'none' || (word !== undefined && runsJobs(word));
}

async function killOn(
  context: StageContext,
  shard: Shard,
  { id, jobs }: { readonly id: string; readonly jobs: readonly RegistryJob[] },
): Promise<Attempt> {
  const { clock } = context.ports;
  // Checked before each kill: a hanging host takes minutes, in which the other shard may fail.
  const { host: killer } = await irreversible(context, { act: 'kill', shard });
  try {
    await killer.kill(id);
    const names = jobs.map((job) => `job ${job.id} "${job.name}"`).join(', ');
    context.log.warn(
      `Killed by drain.force_after on host ${id}: ${names || `jobs that ${wordsOf(context).registry} does not list`}.`,
    );
    return { at: clock.elapsed(), effect: 'done', detail: '' };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    warnOnce(context, `Could not stop host ${id}: ${error.message}.`);
    return { at: clock.elapsed(), effect: error.effect, detail: error.message };
  }
}
