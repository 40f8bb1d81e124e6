import { describe, expect, test } from '@jest/globals';
import { comparedSettings, settingsDigest } from '../../src/domain/fingerprint/fingerprint.ts';
import { read } from '../structure/tree.ts';
import { loadStack } from './loading.ts';
import { bases } from './observed/observers.ts';
import { rows } from './observed/rows.ts';

const isListed = (key: string) =>
  comparedSettings.some((one) => key === one || key.startsWith(`${one}.`));

describe('the settings that make a deployment another one', () => {
  test.each(Object.entries(rows))(
    'include a key exactly if the list has it: %s',
    async (key, row) => {
      const { to, base = 'gitlab', beside = [], with: others = [] } = row;
      const at = async (overrides: string[]) =>
        settingsDigest(await loadStack({ text: bases[base], overrides }));
      const [before, after] = [
        await at([...beside]),
        await at([...beside, `${key}=${to}`, ...others]),
      ];
      expect(before !== after).toBe(isListed(key));
    },
  );

  test('appear in docs/use/rollback.md', () => {
    const page = read('docs/use/rollback.md');
    expect(comparedSettings.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
  });
});
