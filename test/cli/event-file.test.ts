import { expect, test } from '@jest/globals';
import { commandTable } from '../../src/cli/commands/table.ts';

test('every command that opens a stack can leave its events', () => {
  const flags = commandTable.map(({ name, options }) => ({
    name,
    own: options.map((option) => option.flags.split(' ')[0]),
  }));
  const opening = flags.filter(({ own }) => own.includes('--runner'));
  expect(opening.length).toBeGreaterThan(10);
  const silent = opening.filter(({ own }) => !own.includes('--evidence-file'));
  expect(silent.map(({ name }) => name)).toEqual([]);
});
