import { expect, test } from '@jest/globals';
import { flagOf } from '../../src/cli/command.ts';
import { commandTable } from '../../src/cli/commands/command-table.ts';

test('every command that opens a stack can write its events', () => {
  const flags = commandTable.map(({ name, options, isLocal }) => ({
    name,
    isLocal,
    own: options.map(flagOf),
  }));
  // A local command reads the configuration of a stack and contacts no other system.
  const opening = flags.filter(({ own, isLocal }) => own.includes('--runner') && isLocal !== true);
  expect(opening.length).toBeGreaterThan(10);
  const missing = opening.filter(({ own }) => !own.includes('--evidence-file'));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('--report-dir promises only the events for a command that only reads', () => {
  const described = commandTable.flatMap(({ name, options }) =>
    options
      .filter((option) => flagOf(option) === '--report-dir')
      .map(({ description }) => ({ name, isEvents: description.includes('evidence.jsonl') })),
  );
  expect(described.filter(({ isEvents }) => isEvents).map(({ name }) => name)).toEqual([
    'status',
    'doctor',
  ]);
  expect(described.length).toBeGreaterThan(10);
});
