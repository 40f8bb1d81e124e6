import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { keyTable } from '../../src/domain/keys/key-table.ts';
import { sampleOf } from '../support/sample.ts';
import { loadStack, problemsOf } from './loading.ts';
import { writeNoting } from './observed/composition.ts';
import { bases, observers } from './observed/observers.ts';
import { rows } from './observed/rows.ts';

test('every key of the configuration is tested here, and no other', () => {
  expect(Object.keys(rows).sort()).toEqual(keyTable.map(({ name }) => name as string).sort());
});

test.each(
  Object.entries(rows).flatMap(([name, row]) =>
    row.with === undefined ? [] : [[name, row] as const],
  ),
)(
  '%s cannot change alone, because a combined check refuses it',
  async (_, { base = 'gitlab', beside = [], with: others = [] }) => {
    const overrides = [...beside, ...others];
    expect(await problemsOf({ text: bases[base], overrides })).not.toEqual([]);
  },
);

describe('a key that changes alone', () => {
  test.each(sampleOf(Object.entries(rows), ([name]) => name))(
    'changes a request, a command or an output: %s',
    async (name, row) => {
      const { to, on: observe, base = 'gitlab', beside = [], with: others = [] } = row;
      const folder = mkdtempSync(join(tmpdir(), 'every-key-'));
      for (const program of ['note', 'terraform', 'tofu']) writeNoting(join(folder, program));
      for (const path of ['linux/pink', 'other/linux/pink'])
        mkdirSync(join(folder, path), { recursive: true });
      const here = (text: string) => text.replaceAll('FOLDER', folder);
      const at = (overrides: readonly string[]) =>
        loadStack({ text: here(bases[base]), overrides: overrides.map(here) });
      try {
        const before = await observe(await at(beside), folder);
        rmSync(join(folder, 'seen'), { force: true });
        const after = await observe(await at([...beside, `${name}=${to}`, ...others]), folder);
        expect(plain(before, folder)).not.toBe('');
        expect(plain(after, folder)).not.toBe(plain(before, folder));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  test.each(['gitlab', 'terraform', 'github'] as const)(
    'makes no difference if its value stays: %s',
    async (base) => {
      const folder = mkdtempSync(join(tmpdir(), 'every-key-'));
      for (const program of ['note', 'terraform', 'tofu']) writeNoting(join(folder, program));
      mkdirSync(join(folder, 'linux/pink'), { recursive: true });
      const text = bases[base].replaceAll('FOLDER', folder);
      try {
        for (const observe of observers) {
          const before = plain(await observe(await loadStack({ text }), folder), folder);
          rmSync(join(folder, 'seen'), { force: true });
          const after = plain(await observe(await loadStack({ text }), folder), folder);
          rmSync(join(folder, 'seen'), { force: true });
          expect(after).toBe(before);
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

/** Removes texts that differ between runs, and sorts parallel requests. */
function plain(seen: string, folder: string): string {
  return seen
    .replaceAll(folder, 'FOLDER')
    .replace(
      /saved-plan\.\S+|hosted-runner-[\w-]+|[0-9a-f]{8}-[0-9a-f-]{27}|127\.0\.0\.1:\d+|[a-z0-9]{16}(?=[^a-z0-9])/g,
      'X',
    )
    .split('\n')
    .sort()
    .join('\n');
}
