import { expect, test } from '@jest/globals';
import { defineProgram } from '../../src/cli/program.ts';

test('every command that opens a stack can leave its evidence', () => {
  const frame = { actions: {} as never, environment: {}, finish: () => {} };
  const program = defineProgram({ ...frame, version: '', write: () => {}, writeError: () => {} });
  const flags = new Map(
    program.commands.map((command) => [command.name(), command.options.map(({ long }) => long)]),
  );
  const opening = [...flags].filter(([, own]) => own.includes('--runner'));
  expect(opening.length).toBeGreaterThan(10);
  const silent = opening.filter(([, own]) => !own.includes('--evidence-file'));
  expect(silent.map(([name]) => name)).toEqual([]);
});
