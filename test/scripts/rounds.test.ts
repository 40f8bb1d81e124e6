import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { playRounds } from '../../scripts/mutants/rounds.js';

const root = process.cwd();
const file = 'test/domain/deployment/direction.test.ts';
const mutant = {
  file: 'src/domain/deployment/direction.ts',
  find: 'export function chooseDirection(',
  replace: 'export const parseNothing = (text: string) => text;\nexport function chooseDirection(',
};
const wrong = {
  ...mutant,
  replace: 'throw new Error("broken");\nexport function chooseDirection(',
};
const layers = [{ name: 'unit', files: [file] }];

async function fatesOf(...mutants: readonly (typeof mutant | undefined)[]) {
  const compiled = mkdtempSync(join(tmpdir(), 'rounds-'));
  try {
    const rounds = mutants.map((one) => ({
      ...(one === undefined ? {} : { mutant: one }),
      layers,
    }));
    const fates = await playRounds({ root, compiled, rounds });
    return fates.map(({ kind }) => kind);
  } finally {
    rmSync(compiled, { recursive: true, force: true });
  }
}

test('each round of a process has its own text, and nothing of another’s', async () => {
  expect(await fatesOf(wrong, undefined, mutant, wrong)).toEqual([
    'caught',
    'survived',
    'survived',
    'caught',
  ]);
});

test('a round that stops the process leaves the fates before it, and alone it is a fate of its own', async () => {
  const ending = { ...mutant, replace: 'process.exit(7);\nexport function chooseDirection(' };
  expect(await fatesOf(undefined, ending, undefined)).toEqual(['survived']);
  expect(await fatesOf(ending)).toEqual(['broken']);
});
