import { describe, expect, test } from '@jest/globals';
import { rested } from '../broken-stacks/state.ts';
import type { Call, Fault } from '../fakes/faults/fault-wrapper.ts';
import { putParameter, removeParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { parametersOf, parameterValue } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, drive } from '../stages/drive.ts';
import { stackOf } from './doctor/examine.ts';

const type = (world: World, command: Command) =>
  drive(createSimulation({ world }), command, { deploymentId: 'terminal-1', ci: 'terminal' });
const held = (world: World) => parameterValue(world, parametersOf(stackOf(world)).hold);

test('a second hold is refused, and the first one stays unchanged', async () => {
  const world = await rested();
  expect(await type(world, 'hold')).toMatchObject({ kind: 'done' });
  const first = held(world);
  expect(await type(world, 'hold')).toMatchObject({ kind: 'error', error: { code: 'Held' } });
  expect(held(world)).toBe(first);
});

test('a first hold is refused if another run was faster', async () => {
  const world = await rested();
  const name = parametersOf(stackOf(world)).hold;
  const value = JSON.stringify({ who: 'Ada', why: 'upkeep', since: '2026-11-02T08:00:00Z' });
  const intercept = ({ method, args }: Call) => {
    const [first] = args as [{ name?: string } | undefined];
    if (method === 'create' && first?.name === name) putParameter(world, { name, value });
    return undefined;
  };
  const identity = { deploymentId: 'terminal-1', ci: 'terminal' } as const;
  const ending = await drive(createSimulation({ world, intercept }), 'hold', identity);
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'Held' } });
  expect(held(world)).toBe(value);
});

test('a hold whose name does not become free is refused, and no hold is reported', async () => {
  const world = await rested();
  const name = parametersOf(stackOf(world)).hold;
  // AWS refuses the name as existing, but shows no parameter.
  const intercept = ({ method, args }: Call) => {
    if (!JSON.stringify(args[0]).includes(name)) return undefined;
    if (method === 'create') putParameter(world, { name, value: '{}' });
    else removeParameter(world, name);
    return undefined;
  };
  const identity = { deploymentId: 'terminal-1', ci: 'terminal' } as const;
  const ending = await drive(createSimulation({ world, intercept }), 'hold', identity);
  expect(ending).toMatchObject({
    kind: 'error',
    error: { code: 'Held', fields: { what: expect.stringContaining('could not be created') } },
  });
});

test('a release names the holder, and a second release does nothing', async () => {
  const world = await rested();
  await type(world, 'hold');
  const ending = await type(world, 'release');
  expect(ending.log.at(-1)).toMatch(
    /^Released linux: it was on hold since .+, by .+ \(an incident\)\.$/,
  );
  expect(held(world)).toMatch(/^\{"released":"2026-[^"]+","by":"deployer","of":1\}$/);
  expect(await type(world, 'release')).toMatchObject({
    kind: 'nothing',
    text: 'linux is not on hold',
  });
});

test('a hold right after a release does not wait for its name', async () => {
  const world = await rested();
  const before = world.now;
  for (const command of ['hold', 'release', 'hold'] as const)
    expect(await type(world, command)).toMatchObject({ kind: 'done' });
  expect(world.now).toBe(before);
  expect(await type(world, 'finalize')).toMatchObject({ kind: 'error', error: { code: 'Held' } });
});

test('a hold waits for a name that was deleted by hand', async () => {
  const world = await rested();
  await type(world, 'hold');
  removeParameter(world, parametersOf(stackOf(world)).hold);
  expect((await type(world, 'hold')).log).toEqual([
    'Waiting: AWS reserves the name of the last hold for 30s after its deletion.',
    'Put linux on hold: an incident.',
  ]);
});

describe('a release', () => {
  const during = async (
    command: Command,
    happens: (world: World, hold: string) => Fault | undefined,
  ) => {
    const world = await rested();
    await type(world, 'hold');
    const name = parametersOf(stackOf(world)).hold;
    let isOver = false;
    const intercept = ({ method, args }: Call) => {
      const [first] = args as [{ name?: string } | string | undefined];
      if (isOver || method !== 'overwrite' || (first as { name?: string }).name !== name)
        return undefined;
      isOver = true;
      return happens(world, name);
    };
    const simulation = createSimulation({ world, intercept });
    const identity = { deploymentId: 'terminal-1', ci: 'terminal' } as const;
    const ending = await drive(simulation, command, identity);
    await simulation.advance(120_000);
    return { world, ending, stage: await type(world, 'finalize') };
  };

  test('keeps a hold that was set meanwhile', async () => {
    const { ending, stage } = await during('release', (world, name) => {
      const value = JSON.stringify({ who: 'Ada', why: 'upkeep', since: '2026-11-02T08:00:00Z' });
      putParameter(world, { name, value });
      return undefined;
    });
    const why = 'version 2 is not the one that deployer released (version 1)';
    const held = {
      kind: 'error',
      error: { code: 'Held', fields: { what: expect.stringContaining(why) } },
    };
    expect(ending).toMatchObject(held);
    expect(stage).toMatchObject(held);
  });

  test.each([
    ['twice, with the first response', { kind: 'twice', answer: 'first' }],
    ['twice, with the last response', { kind: 'twice', answer: 'last' }],
  ] as const)('counts as a release if it arrives %s', async (_, fault) => {
    const { ending, stage } = await during('release', () => fault as Fault);
    expect(ending).toMatchObject({ kind: 'done' });
    expect(stage).toMatchObject({ kind: 'nothing' });
  });
});

describe('reads of the hold that are 1.5 s behind', () => {
  /** Types the commands without delay, like at a terminal. */
  async function typeAll(...commands: readonly Command[]) {
    const world = await rested();
    world.behaviour.staleForMs = 1500;
    const endings = [];
    for (const command of commands) endings.push(await type(world, command));
    return { world, last: endings.at(-1) };
  }

  test('do not hide a hold from a release right after it', async () => {
    const { world, last } = await typeAll('hold', 'release');
    expect(last).toMatchObject({ kind: 'done', text: 'linux can be deployed again' });
    expect(held(world)).toContain('"released"');
  });

  test('do not refuse a stage right after a release', async () => {
    const { last } = await typeAll('hold', 'release', 'finalize');
    expect(last).toMatchObject({ kind: 'nothing' });
  });

  test('do not prevent a hold right after a release', async () => {
    const { world, last } = await typeAll('hold', 'release', 'hold');
    expect(last).toMatchObject({ kind: 'done' });
    expect(held(world)).toContain('"why"');
  });

  test('do not hide a hold that lasts', async () => {
    const { last } = await typeAll('hold', 'finalize', 'finalize');
    expect(last).toMatchObject({ kind: 'error', error: { code: 'Held', exitCode: 3 } });
  });
});
