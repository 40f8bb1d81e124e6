import { describe, expect, test } from '@jest/globals';
import type { ExaminedStack } from '../../broken-stacks/broken-stack.ts';
import { brokenStacks } from '../../broken-stacks/broken-stacks.ts';
import { sampleOf } from '../../support/sample.ts';
import { heal } from './heal.ts';
import { openPatient, type Patient } from './patient.ts';
import type { Row } from './row.ts';

const worlds = brokenStacks.examined;

export function worldOf(name: string): ExaminedStack {
  const found = worlds.find((world) => world.name === name);
  if (found === undefined) throw new Error(`no world is called "${name}"`);
  return found;
}

/** Each row in a sandbox of its own, by the program as a process, from the break to the rest. */
export function tryRows(rows: readonly Row[]): void {
  describe.each(sampleOf(rows, ({ name }) => name))('$name', (row) => {
    const { diagnosis, ends } = worldOf(row.name);

    test(`doctor says ${diagnosis}, and what it prints ends in ${ends}`, async () => {
      const patient = await openPatient(row.options);
      try {
        await tryRow(patient, row);
        await expectUnharmed(patient, row);
        await row.also?.(patient);
      } finally {
        await patient.close();
      }
    });
  });
}

/** From the break to the rest. */
export async function tryRow<P extends Patient>(patient: P, row: Row<P>): Promise<void> {
  const { diagnosis, ends } = worldOf(row.name);
  if (row.customers === 'are_away') await expectUnharmed(patient, row);
  await row.spoil(patient);
  const story = await heal(patient, row);
  expect(story).toMatchObject({ first: diagnosis, ends, told: story.told });
  // Whoever has held a stack releases it first; from anywhere else it takes two. A deployment that waits
  // for an approval takes two more: promote, and what retires the old shard.
  const approved = story.typed.some((command) => command.includes(' promote ')) ? 2 : 0;
  expect(story.typed.slice((diagnosis === 'held' ? 3 : 2) + approved)).toEqual([]);
  if (ends === 'person') return;
  const wrong = await patient.wrongAtRest();
  expect({ told: story.told, wrong }).toEqual({ told: story.told, wrong: [] });
}

/** Every job of a customer ran once, whole; and somebody served at every moment. */
export async function expectUnharmed(
  { customers }: Patient,
  row: Pick<Row, 'customers'>,
): Promise<void> {
  const { lost, unserved } = await customers.finish();
  expect({ lost, unserved: row.customers === 'wait' ? [] : unserved }).toEqual({
    lost: [],
    unserved: [],
  });
}
