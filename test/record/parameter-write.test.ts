import { describe, expect, test } from '@jest/globals';
import { readAtLeast, writeVersioned } from '../../src/stages/record/parameter-write.ts';
import { recordName as name, openStore } from './parameter-store.ts';

function open() {
  const store = openStore();
  const { parameters, clock } = store.ports;
  const write = (value: string, version: number) =>
    store.settle(writeVersioned({ parameters, clock, name, value, version }));
  return { ...store, parameters, clock, write, writeAsOther: store.write };
}

describe('a versioned write', () => {
  test('creates the parameter and then counts up', async () => {
    const { write, textOf } = open();
    expect(await write('one', 0)).toBe(1);
    expect(await write('two', 1)).toBe(2);
    expect(textOf(name)).toBe('two');
  });

  test('stops if another process wrote in between, and shows both values', async () => {
    const { write, writeAsOther } = open();
    await write('one', 0);
    writeAsOther(name, 'theirs');
    await expect(write('ours', 1)).rejects.toMatchObject({
      code: 'ForeignWrite',
      exitCode: 3,
      fields: {
        why: [
          'Value of this run: ours',
          'Value of the other writer (version 2 in the history): theirs',
        ],
      },
    });
  });

  test('stops if another process created the parameter first, and overwrites nothing', async () => {
    const { write, writeAsOther, textOf } = open();
    writeAsOther(name, 'theirs');
    await expect(write('ours', 0)).rejects.toMatchObject({ code: 'ForeignWrite' });
    expect(textOf(name)).toBe('theirs');
  });

  test('reads back after a lost response', async () => {
    const { write, faults, textOf, world } = open();
    await write('one', 0);
    faults.push({ kind: 'lost_answer' });
    expect(await write('two', 1)).toBe(2);
    expect(textOf(name)).toBe('two');
    expect(world.parameters[name]?.versions).toHaveLength(2);
  });

  test('sends a value again that never arrived', async () => {
    const { write, faults, world } = open();
    await write('one', 0);
    faults.push({ kind: 'late_effect', afterMs: 86_400_000 });
    expect(await write('two', 1)).toBe(2);
    expect(world.parameters[name]?.versions.map(({ value }) => value)).toEqual(['one', 'two']);
  });

  test('does not claim a lost value that another process has overwritten since', async () => {
    const { write, writeAsOther, faults, simulation } = open();
    await write('one', 0);
    faults.push({ kind: 'late_effect', afterMs: 86_400_000 });
    simulation.at(1000, () => writeAsOther(name, 'theirs'));
    await expect(write('two', 1)).rejects.toMatchObject({ code: 'ForeignWrite' });
  });

  test.each(['first', 'last'] as const)(
    'succeeds if it arrives twice and the %s response is received',
    async (answer) => {
      const { write, faults, textOf, world } = open();
      faults.push({ kind: 'twice', answer });
      expect(await write('one', 0)).toBe(1);
      faults.push({ kind: 'twice', answer });
      expect(await write('two', 1)).toBe(answer === 'first' ? 2 : 3);
      expect(world.parameters[name]?.versions.map(({ value }) => value)).toEqual([
        ...['one', 'two', 'two'],
      ]);
      expect(textOf(name)).toBe('two');
    },
  );

  test('succeeds if it arrives twice after a lost response', async () => {
    const { write, writeAsOther, faults } = open();
    await write('one', 0);
    faults.push({ kind: 'lost_answer' });
    const writing = write('two', 1);
    writeAsOther(name, 'two');
    expect(await writing).toBe(3);
  });

  test('accepts the write before it, which arrived again in between', async () => {
    const { parameters, clock, write, writeAsOther, settle } = open();
    await write('one', 0);
    writeAsOther(name, 'one');
    const last = { parameters, clock, name, value: 'two', version: 1, before: 'one' };
    expect(await settle(writeVersioned(last))).toBe(3);
  });

  test('fails if its value arrives once before and once after another write', async () => {
    const { write, writeAsOther, faults, simulation } = open();
    await write('one', 0);
    faults.push({ kind: 'late_effect', afterMs: 86_400_000 });
    simulation.at(1000, () => {
      for (const value of ['two', 'theirs', 'two']) writeAsOther(name, value);
    });
    await expect(write('two', 1)).rejects.toMatchObject({ code: 'ForeignWrite' });
  });

  test('sends nothing again if the store refuses', async () => {
    const { write, faults } = open();
    faults.push({ kind: 'error_before', failure: 'denied', status: 403 });
    await expect(write('one', 0)).rejects.toMatchObject({ kind: 'denied', effect: 'none' });
  });

  test('survives outdated reads', async () => {
    const { write, faults, world } = open();
    await write('one', 0);
    world.behaviour.staleForMs = 3000;
    faults.push({ kind: 'lost_answer' });
    expect(await write('two', 1)).toBe(2);
    expect(world.parameters[name]?.versions).toHaveLength(2);
  });
});

describe('a read that must be as new as a known version', () => {
  test('waits for a store that is behind', async () => {
    const { write, settle, parameters, clock, world } = open();
    await write('one', 0);
    await write('two', 1);
    world.behaviour.staleForMs = 3000;
    expect(await settle(readAtLeast({ parameters, clock }, name, 2))).toMatchObject({
      value: 'two',
    });
  });

  test('ends without a value if the parameter was deleted', async () => {
    const { settle, parameters, clock } = open();
    expect(await settle(readAtLeast({ parameters, clock }, name, 2))).toBeUndefined();
  });
});
