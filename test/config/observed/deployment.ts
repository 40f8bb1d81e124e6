import type { StackSettings } from '../../../src/domain/settings.ts';
import { emptyWorld, pink, purple, worldWithActive } from '../../fakes/builders.ts';
import type { TraceEntry } from '../../fakes/faults/trace.ts';
import type { BootBehaviour } from '../../fakes/hosts/behaviour.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { breakJobs } from '../../fakes/world/broken-jobs.ts';
import { startStream, submitJob } from '../../fakes/world/jobs.ts';
import { type Command, drive } from '../../stages/drive.ts';

export interface Circumstances {
  /** Boot behaviour of the candidate's first host. */
  readonly boot?: BootBehaviour;
  /** Whether no earlier deployment exists. */
  readonly empty?: true;
  /** Duration of a job on the active shard that outlives the drain's first check. */
  readonly longJobMs?: number;
  /** Boot duration of a host. */
  readonly bootMs?: number;
  /** Target that is unreachable from every host. */
  readonly unreachable?: string;
  /** Number of idle workers that each host reports. */
  readonly idleWorkers?: number;
  /** Pause between a healthy candidate and its promotion, as for an approval. */
  readonly restsMs?: number;
  /** Projects whose job on the promoted shard fails because of the runner, during a check. */
  readonly broken?: readonly string[];
  /** Adds a short customer job every twenty seconds from the promotion on. */
  readonly customers?: true;
}

const minute = 60_000;

/** Runs a deployment on a virtual clock. Returns each call with its time, without the log. */
export async function deployment(
  settings: StackSettings,
  circumstances: Circumstances = {},
): Promise<string> {
  const trace = await play(settings, circumstances);
  return JSON.stringify(trace.map(({ at, port, method, args }) => [at, port, method, args]));
}

export async function play(
  settings: StackSettings,
  circumstances: Circumstances = {},
): Promise<readonly TraceEntry[]> {
  const { boot, empty, longJobMs, bootMs, unreachable, idleWorkers, restsMs, broken, customers } =
    circumstances;
  const boots = boot === undefined ? {} : { 'purple-linux': [boot] };
  const behaviour = {
    boots,
    ...(bootMs === undefined ? {} : { bootMs }),
    ...(settings.github === undefined ? {} : { runners: 'github_persistent' as const }),
  };
  const world =
    empty === true
      ? emptyWorld({ stacks: [settings], behaviour })
      : worldWithActive(pink, { stacks: [settings], behaviour });
  const simulation = createSimulation({
    world,
    about: () => {
      for (const host of Object.values(world.hosts)) {
        if (unreachable !== undefined) host.unreachable = { [unreachable]: 'it answers 403' };
        if (idleWorkers !== undefined) host.idleWorkers = idleWorkers;
      }
    },
  });
  const baked: readonly Command[] = settings.bake.forMs === undefined ? [] : ['bake'];
  const rested: readonly Command[] = restsMs === undefined ? [] : ['provision --until healthy'];
  const stages: readonly Command[] = [
    'prepare',
    'onboard',
    ...rested,
    'provision',
    ...(rested.length > 0 ? (['promote'] as const) : []),
    'shutdown',
    ...baked,
    'cleanup',
  ];
  for (const [index, stage] of stages.entries()) {
    if (stage === 'provision' && longJobMs !== undefined) {
      submitJob(world, { name: 'build', tags: ['linux'], durationMs: longJobMs, visible: true });
      await simulation.advance(10_000);
    }
    if (stage === 'provision' && restsMs !== undefined) await simulation.advance(restsMs);
    if (stage === 'provision' && customers === true)
      startStream(world, {
        everyMs: 20_000,
        durationsMs: [5000],
        tags: ['linux'],
        visible: true,
        project: 'acme/shop',
        count: 60,
      });
    if (stage === 'bake' && broken !== undefined)
      simulation.at(minute, () => breakJobs(world, purple, broken));
    const ending = await drive(simulation, stage, {
      deploymentId: '1-200',
      jobId: `${7000 + index}`,
    });
    if (ending.kind === 'error') break;
  }
  return simulation.trace;
}
