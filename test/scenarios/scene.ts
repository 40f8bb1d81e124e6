import { renderError } from '../../src/errors/render.ts';
import type { Intercept } from '../fakes/faults/fault-wrapper.ts';
import { formatTrace } from '../fakes/faults/trace.ts';
import { atRest } from '../fakes/invariants/at-rest.ts';
import { createSimulation, type Simulation } from '../fakes/simulation.ts';
import { countJobs } from '../fakes/world/job-counts.ts';
import { startStream } from '../fakes/world/jobs.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, type Drive, drive, type Ending } from '../stages/drive.ts';
import { withoutAddress } from '../support/without-address.ts';

const hour = 3_600_000;

/** World with its story: commands, output and events in order of time. */
export interface Scene {
  readonly world: World;
  readonly simulation: Simulation;
  readonly story: string[];
  type(command: Command, options?: Partial<Drive>): Promise<Ending>;
  /** Lets time pass until all jobs have ended. Lists everything that is wrong then. */
  rest(): Promise<string[]>;
}

/** @param older world that a stale read shows */
export function openScene(world: World, intercept?: Intercept, older?: () => World): Scene {
  const simulation = createSimulation({
    world,
    ...(intercept === undefined ? {} : { intercept }),
    ...(older === undefined ? {} : { older }),
  });
  const startedAt = world.now;
  const story: string[] = [];
  let typed = 0;
  return {
    world,
    simulation,
    story,
    async type(command, options = {}) {
      typed += 1;
      const traceStart = simulation.trace.length;
      const chosen = { deploymentId: '1-200', jobId: `job ${typed}`, ...options };
      story.push(`$ ${command} (${chosen.deploymentId})`);
      const ending = await drive(simulation, command, chosen);
      story.push(...ending.log.filter((line) => !/^(?:Waiting|==)/.test(line)).map(indent));
      const trace = simulation.trace.slice(traceStart).filter((call) => !isBookkeeping(call));
      story.push(...formatTrace(trace, startedAt).map((line) => `    ${line}`));
      story.push(...readLastLines(command, ending));
      return ending;
    },
    async rest() {
      await simulation.advance(3 * hour);
      return [...world.violations, ...atRest(world), ...unfinishedJobs(world)];
    },
  };
}

/**
 * Decides whether a call concerns the lock, which every command takes and releases. Stories only
 * contain effects on shards.
 */
function isBookkeeping({ args }: { args: readonly unknown[] }): boolean {
  return JSON.stringify(args[0] ?? '').includes('deployment_lock');
}

function indent(line: string): string {
  return `  ${line}`;
}

function readLastLines(command: Command, ending: Ending): string[] {
  if (ending.kind === 'killed') return ['= killed'];
  if (ending.kind !== 'error') return [`= ${ending.kind}: ${ending.text}`];
  const text = withoutAddress(renderError(command.split(' ')[0] ?? command, ending.error.fields));
  return [`= exit code ${ending.error.exitCode}`, ...text.split('\n').map(indent)];
}

/** Adds customer jobs, short ones and some that outlast a switch. */
export function withCustomers(world: World, count = 120): World {
  startStream(world, {
    everyMs: 11_000,
    durationsMs: [5000, 20_000, 90_000, 300_000],
    tags: ['linux'],
    visible: true,
    project: 'customers/shop',
    count,
  });
  return world;
}

function unfinishedJobs(world: World): string[] {
  const { submitted, finished, interrupted, lost } = countJobs(world);
  return submitted === finished && interrupted + lost === 0
    ? []
    : [`${submitted} submitted, ${finished} finished, ${interrupted} interrupted, ${lost} lost`];
}

/** Runs all stages of a pipeline. */
export async function pipeline(scene: Scene, deploymentId: string): Promise<void> {
  for (const stage of ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup'] as const) {
    const ending = await scene.type(stage, { deploymentId });
    if (ending.kind === 'error') throw ending.error;
  }
}
