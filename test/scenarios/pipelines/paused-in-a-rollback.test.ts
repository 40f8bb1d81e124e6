import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { pink, purple } from '../../fakes/builders.ts';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import {
  activeShard,
  hostsOf,
  parametersOf,
  parameterValue,
  registrationsOf,
} from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { isCall } from '../../stages/reach.ts';
import {
  atPause,
  end,
  irreversibleCalls,
  isOpen,
  minute,
  openPromoted,
  pause,
  stackOf,
} from '../service/promoted.ts';

/** Changes of the world that make every later effect fail. */
const refusals = {
  Held: (world: World) => {
    const at = new Date(world.now).toISOString();
    const value = JSON.stringify({ by: 'ada', at, reason: 'an incident' });
    putParameter(world, { name: parametersOf(stackOf(world)).hold, value });
  },
  FactsContradict: (world: World) => {
    const { status: name } = parametersOf(stackOf(world));
    for (const active of [pink, purple])
      putParameter(world, { name, value: formatStatus(stackOf(world).shards, active) });
  },
} as const;

function deleteStatus(world: World): void {
  removeParameter(world, parametersOf(stackOf(world)).status);
}

const codes = ['Held', 'FactsContradict'] as const;

/**
 * Opens a rollback of a drain that paused pink. Something happens once after the rollback reopened
 * pink.
 */
async function openRollback(
  isDue: (call: Call, world: World) => boolean,
  act: (world: World) => Fault | undefined,
  atDrain?: ReturnType<typeof atPause>,
) {
  let [isBack, isOver] = [false, false];
  const { scene, world } = await openPromoted(undefined, (call) => {
    if (!isBack) return atDrain?.(call);
    if (isOver || isOpen(world, pink) !== true || !isDue(call, world)) return undefined;
    isOver = true;
    const fault = act(world);
    absorb(world);
    return fault;
  });
  await scene.type('shutdown', { deadline: world.now + 10 * minute });
  expect(isOpen(world, pink)).toBe(false);
  isBack = true;
  return { scene, world };
}

/**
 * Decides whether the rollback is about to switch the status, with pink verified and its tags
 * written.
 */
function atItsSwitch({ port, args }: Call, world: World): boolean {
  const { status, record } = parametersOf(stackOf(world));
  const noted = JSON.parse(parameterValue(world, record) ?? '{}');
  const [{ tags } = { tags: [] as readonly string[] }] = registrationsOf(
    world,
    stackOf(world),
    pink,
  );
  const isProven = noted.shards.pink.evidence !== undefined && tags.join() === 'linux';
  return isProven && port === 'parameters' && args[0] === status;
}

const refusedAndPaused = (code: (typeof codes)[number]) => (world: World) => {
  pause(world, pink, true);
  end(world, purple);
  refusals[code](world);
  return undefined;
};

const atItsCheck = isCall('host', 'probeWorkload');

describe.each(codes)('a rollback that ends with %s while the other shard is dead', (code) => {
  test('leaves a shard paused that an operator paused after the reopening, even in later runs', async () => {
    const { scene, world } = await openRollback(atItsSwitch, refusedAndPaused(code));
    const ending = await scene.type('rollback', { deploymentId: '1-300' });
    expect(ending).toMatchObject({ phase: 'promoting', error: { code } });
    expect(ending.log.join('\n')).toContain(
      'Left runner 48213 of pink paused: it was paused after the rollback had reopened it.',
    );
    expect(isOpen(world, pink)).toBe(false);
    for (const stage of ['finalize', 'shutdown'] as const) {
      expect(await scene.type(stage, { deploymentId: '1-300' })).toMatchObject({ error: { code } });
      expect(isOpen(world, pink)).toBe(false);
    }
    expect(irreversibleCalls(scene)).toEqual([]);
  });

  test('reopens a shard that a late pause of its drain may have paused, because the actor is unknown', async () => {
    const lost = atPause(() => ({ kind: 'lost_answer' }));
    const { scene, world } = await openRollback(atItsSwitch, refusedAndPaused(code), lost);
    const ending = await scene.type('rollback', { deploymentId: '1-300' });
    expect(ending).toMatchObject({ phase: 'promoting', error: { code } });
    expect(isOpen(world, pink)).toBe(true);
  });
});

test('leaves a shard paused under a hold if an operator paused it during its check', async () => {
  const { scene, world } = await openRollback(atItsCheck, (one) => {
    pause(one, pink, true);
    return undefined;
  });
  const ending = await scene.type('rollback', { deploymentId: '1-300' });
  expect(ending).toMatchObject({ phase: 'promoting', error: { code: 'HealthInconclusive' } });
  end(world, purple);
  refusals.Held(world);
  for (const stage of ['finalize', 'shutdown'] as const) {
    expect(await scene.type(stage, { deploymentId: '1-300' })).toMatchObject({
      error: { code: 'Held' },
    });
    expect(isOpen(world, pink)).toBe(false);
  }
});

test('a second rollback command reopens the shard, and the record keeps nothing of that pause', async () => {
  const { scene, world } = await openRollback(atItsSwitch, refusedAndPaused('Held'));
  await scene.type('rollback', { deploymentId: '1-300' });
  expect(isOpen(world, pink)).toBe(false);
  removeParameter(world, parametersOf(stackOf(world)).hold);
  expect(await scene.type('rollback', { deploymentId: '1-300' })).toMatchObject({
    kind: 'done',
    phase: 'promoted',
  });
  expect(isOpen(world, pink)).toBe(true);
  expect(activeShard(world, stackOf(world))).toBe(pink);
  const { record } = parametersOf(stackOf(world));
  expect(parameterValue(world, record)).not.toContain('operator');
});

test.each([
  ['Held', refusals.Held],
  ['FactsContradict', deleteStatus],
])(
  'reopens a verified shard that hosted-runner paused after a later failed check, before %s refuses',
  async (code, refuse) => {
    const { scene, world } = await openRollback(atItsSwitch, () => ({ kind: 'crash_before' }));
    expect(await scene.type('rollback', { deploymentId: '1-300' })).toMatchObject({
      kind: 'killed',
    });
    expect(isOpen(world, pink)).toBe(true);
    for (const host of hostsOf(world, stackOf(world), pink)) host.workloadFault = 'no space left';
    absorb(world);
    expect(await scene.type('finalize', { deploymentId: '1-300' })).toMatchObject({
      error: { code: 'TakeBackUnproven' },
    });
    expect(isOpen(world, pink)).toBe(false);
    end(world, purple);
    refuse(world);
    expect(await scene.type('finalize', { deploymentId: '1-300' })).toMatchObject({
      error: { code },
    });
    expect(isOpen(world, pink)).toBe(true);
  },
);
