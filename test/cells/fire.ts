import type { CellEvent } from '../../model/cells.ts';
import { type Place, places } from '../../model/outcome.ts';
import { formatStatus } from '../../src/domain/deployment/deployment-status.ts';
import type { StageName } from '../../src/domain/deployment/stages-and-steps.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import { pink, purple } from '../fakes/builders.ts';
import type { Call, Fault } from '../fakes/faults/fault-wrapper.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { putParameter, removeParameter } from '../fakes/ports/parameters-fake.ts';
import { addPipeline } from '../fakes/ports/pipelines-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { activeShard, parametersOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, drive, type Ending } from '../stages/drive.ts';
import { jobsAt, ownId } from '../stages/reach.ts';

export const newerId = '1-300';
const olderId = '1-100';

/** Next command of the pipeline at each place. */
export const due = Object.fromEntries(
  places.map((place) => [place, jobsAt(place).next]),
) as Readonly<Record<Place, StageName>>;

interface Shot {
  readonly world: World;
  readonly place: Place;
  readonly stack: StackSettings;
}

/** Triggers the event at the place. Returns how the affected run ended. */
export async function fire(world: World, place: Place, event: CellEvent): Promise<Ending> {
  const shot = { world, place, stack: world.stacks[0] as StackSettings };
  const [kind = '', detail = ''] = event.split(': ');
  switch (kind) {
    case 'crash':
      return crash(shot);
    case 'cancel':
      return cancel(shot);
    case 'retry':
      return run(shot, jobsAt(place).last);
    case 'new id':
      return newId(shot, detail);
    case 'older id':
      return olderPipeline(shot, detail as Command);
    case 'stage':
      return run(shot, detail as Command);
    case 'schedule':
      return run(shot, 'finalize', newerId);
    case 'hold':
      await run(shot, 'hold', newerId);
      return run(shot, due[place]);
    case 'edit':
      edit(shot, detail);
      // After a finished deployment, the next deployment starts.
      return place === 'done' ? run(shot, 'prepare', newerId) : run(shot, due[place]);
    default:
      throw new Error(`unknown event ${event}`);
  }
}

function run(
  { world }: Shot,
  command: Command,
  deploymentId: string = ownId,
  intercept?: (call: Call) => Fault | undefined,
): Promise<Ending> {
  const simulation = createSimulation({ world, ...(intercept === undefined ? {} : { intercept }) });
  return drive(simulation, command, { deploymentId, jobId: `${command} at ${world.now}` });
}

/** Kills the run at its first effect after the lock, if any, and runs it again. */
async function crash(shot: Shot): Promise<Ending> {
  let killed = false;
  const command = due[shot.place];
  await run(shot, command, ownId, (call) => {
    if (killed || !call.effect || isLock(shot, call)) return undefined;
    killed = true;
    return { kind: 'crash_after' };
  });
  await createSimulation({ world: shot.world }).advance(60_000);
  return run(shot, command);
}

/** Cancels at the first effect or wait after the lock, or else with the lock. */
async function cancel(shot: Shot): Promise<Ending> {
  const { world, place } = shot;
  const command = due[place];
  const copy = structuredClone(world);
  let comes = false;
  await run({ ...shot, world: copy }, command, ownId, (call) => {
    comes ||= isAct(shot, call);
    return undefined;
  });
  const controller = new AbortController();
  const intercept = (call: Call): undefined => {
    if (comes ? isAct(shot, call) : isLock(shot, call)) controller.abort();
  };
  const simulation = createSimulation({ world, intercept });
  const { signal } = controller;
  return drive(simulation, command, { deploymentId: ownId, jobId: 'cancelled', signal });
}

function isAct(shot: Shot, call: Call): boolean {
  return (call.effect && !isLock(shot, call)) || call.method === 'sleep';
}

function isLock({ stack }: Shot, { args }: Call): boolean {
  const { lock } = parametersOf(stack);
  return args[0] === lock || (args[0] as { name?: unknown } | undefined)?.name === lock;
}

async function newId(shot: Shot, owner: string): Promise<Ending> {
  const { world } = shot;
  const pipeline = world.pipelines[ownId];
  if (owner === 'owner alive' && pipeline !== undefined) pipeline.state = 'running';
  if (owner === 'owner unknown') world.behaviour.pipelines = 'unknown';
  return run(shot, 'prepare', newerId);
}

function olderPipeline(shot: Shot, command: Command): Promise<Ending> {
  addPipeline(shot.world, { deploymentId: olderId, createdAt: shot.world.now - 86_400_000 });
  return run(shot, command, olderId);
}

/**
 * Edits the status like an operator at the console, which may also remove the parameter's pattern.
 */
function edit({ world, stack }: Shot, what: string): void {
  const { status } = parametersOf(stack);
  const active = activeShard(world, stack) ?? pink;
  const other = active === pink ? purple : pink;
  const texts: Readonly<Record<string, string>> = {
    swapped: formatStatus(stack.shards, other),
    'equal shards': JSON.stringify({ active_shard: active, inactive_shard: active }),
    'unknown shard': JSON.stringify({ active_shard: 'green', inactive_shard: active }),
    empty: ' ',
    'not JSON': `active=${active}`,
    'spaces and key order': `{ "inactive_shard" : "${other}",\n  "active_shard" : "${active}" }`,
  };
  delete world.parameters[status]?.allowedPattern;
  if (what === 'deleted') removeParameter(world, status);
  else putParameter(world, { name: status, value: texts[what] ?? '' });
  absorb(world);
}
