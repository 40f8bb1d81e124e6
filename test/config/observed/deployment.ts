import type { StackSettings } from '../../../src/domain/settings.ts';
import { emptyWorld, pink, purple, worldWithActive } from '../../fakes/builders.ts';
import type { BootBehaviour } from '../../fakes/hosts/behaviour.ts';
import type { TraceEntry } from '../../fakes/seam/trace.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { breakJobs } from '../../fakes/world/broken-jobs.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { type Command, drive } from '../../stages/drive.ts';

export interface Circumstances {
  /** How the candidate's first host turns out. */
  readonly boot?: BootBehaviour;
  /** Nothing was ever deployed. */
  readonly empty?: true;
  /** A job of the active shard that outlives the first look of the drain. */
  readonly longJobMs?: number;
  /** How long a host takes to boot. */
  readonly bootMs?: number;
  /** What no host reaches. */
  readonly unreachable?: string;
  /** How long it rests between a candidate that is healthy and its promotion, as for an approval. */
  readonly restsMs?: number;
  /** Projects whose job on the promoted shard ends by the runner's fault, while it is watched. */
  readonly broken?: readonly string[];
}

const minute = 60_000;

/** A whole deployment on a virtual clock: each call with its moment, what was logged, and how it ended. */
export async function deployment(
  settings: StackSettings,
  circumstances: Circumstances = {},
): Promise<string> {
  const { said, trace } = await play(settings, circumstances);
  return JSON.stringify([
    ...said,
    ...trace.map(({ at, port, method, args }) => [at, port, method, args]),
  ]);
}

interface Played {
  readonly said: readonly unknown[];
  readonly trace: readonly TraceEntry[];
}

export async function play(
  settings: StackSettings,
  { boot, empty, longJobMs, bootMs, unreachable, restsMs, broken }: Circumstances = {},
): Promise<Played> {
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
      if (unreachable === undefined) return;
      for (const host of Object.values(world.hosts))
        host.unreachable = { [unreachable]: 'it answers 403' };
    },
  });
  const said: unknown[] = [];
  const baked: readonly Command[] = settings.bake.forMs === undefined ? [] : ['bake'];
  const rested: readonly Command[] = restsMs === undefined ? [] : ['provision --until healthy'];
  const stages: readonly Command[] = [
    'prepare',
    'onboard',
    ...rested,
    'provision',
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
    if (stage === 'bake' && broken !== undefined)
      simulation.at(minute, () => breakJobs(world, purple, broken));
    const ending = await drive(simulation, stage, {
      deploymentId: '1-200',
      jobId: `${7000 + index}`,
    });
    said.push(ending.log, ending.kind, ending.kind === 'error' ? ending.error.fields : undefined);
    if (ending.kind === 'error') break;
  }
  return { said, trace: simulation.trace };
}
