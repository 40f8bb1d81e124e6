import { expect } from '@jest/globals';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene, type Scene } from '../scene.ts';
import { type Candidate, type Cause, candidateOf } from './causes.ts';

/** Runs provision on a faulty candidate. `code` is the error's code or the kind of end. */
export async function provisionedUnder(
  cause: Cause,
  options: Spoiling = {},
): Promise<{ scene: Scene; code: string; world: World }> {
  const world = worldOf(cause);
  const scene = openScene(world, spoiling(world, cause, options));
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  scene.story.length = 0;
  const ending = await scene.type('provision');
  return { scene, code: ending.kind === 'error' ? ending.error.code : ending.kind, world };
}

/** Expects pink to accept jobs still, and purple to get no customer job. */
export function expectUntouched(world: World): void {
  const [stack] = world.stacks;
  if (stack === undefined) throw new Error('the world has no stack');
  expect(parameterValue(world, parametersOf(stack).status)).toContain('"active_shard":"pink"');
  expect(candidateOf(world).registration?.tags ?? []).not.toContain('linux');
  expect(world.violations).toEqual([]);
}

function worldOf({ boot, healthcheck }: Cause): World {
  const settings = stackSettings();
  const stack = { ...settings, healthcheck: { ...settings.healthcheck, ...healthcheck } };
  const boots = boot === undefined ? {} : { boots: { 'purple-linux': [boot] } };
  return worldWithActive(pink, { stacks: [stack], behaviour: boots });
}

interface Spoiling {
  /** Time from the first check to the end of the cause. */
  readonly overAfterMs?: number;
  readonly also?: (call: Call, candidate: Candidate) => Fault | undefined;
}

/** Applies a cause from the first check of the candidate's hosts on. */
function spoiling(
  world: World,
  cause: Cause,
  { overAfterMs = Number.POSITIVE_INFINITY, also = () => undefined }: Spoiling = {},
): (call: Call) => Fault | undefined {
  let since: number | undefined;
  let isFixed = false;
  return (call) => {
    const candidate = candidateOf(world);
    if (isHostList(call) && candidate.hosts.length > 0) {
      since ??= world.now;
      if (world.now - since < overAfterMs) cause.spoil?.(candidate);
      else if (!isFixed) {
        isFixed = true;
        cause.fix?.(candidate);
      }
    }
    return since === undefined ? undefined : also(call, candidate);
  };
}

function isHostList({ port, method, args }: Call): boolean {
  const { shard } = (args[0] ?? {}) as { shard?: unknown };
  return port === 'host' && method === 'list' && shard === purple;
}
