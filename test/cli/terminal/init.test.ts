import { describe, expect, test } from '@jest/globals';
import { init } from '../initialised.ts';

describe('init at a terminal of 80 columns', () => {
  const style = { color: true, columns: 80 };
  const plain = (line: string) => line.replace(/\u001b\[\d+m/g, '');
  const piece = (text: string) => text.slice(text.indexOf('\ninclude:'));

  test.each(['gitlab', 'github'] as const)('every line fits, for %s', async (ci) => {
    const { text: output } = await init({}, { ci, terraform: true, style });
    const wide = output.split('\n').filter((line) => [...plain(line)].length > 80);
    // A line for pasting stays whole, because a line break would be pasted too. So does a word.
    expect(wide.filter((line) => !/^gh api |^ *\S+$/.test(line))).toEqual([]);
    expect(output).toContain('\u001b[32m✔\u001b[39m Wrote hosted-runners.yml.\n');
  });

  test('lines to paste stay whole at any width', async () => {
    const narrow = { color: true, columns: 40 };
    const files = () => ({ '.gitlab-ci.yml': 'mine' });
    const [there, here] = await Promise.all([init(files()), init(files(), { style: narrow })]);
    expect(piece(here.text)).toBe(piece(there.text));
    expect(piece(here.text)).toContain('/finalize@');
    expect(here.text).not.toBe(there.text);
  });
});
