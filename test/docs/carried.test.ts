import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { filesBelow, read, root } from '../structure/tree.ts';

const table = read('docs/understand/carried.md');
const rows = table.split('\n').filter((line) => line.startsWith('| ['));
const examples = [...table.matchAll(/^\| `(examples\/[^`]*)`/gm)].map(([, path = '']) => path);

/** As GitHub and GitLab make an anchor of a heading. */
const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

describe('the table of what carries the documents', () => {
  test.each(['terraform', 'permissions', 'github-runners'])('has each section of %s.md', (name) => {
    const headings = [...read(`docs/use/${name}.md`).matchAll(/^###? (.+)$/gm)];
    const wanted = headings.map(([, heading = '']) => `(../use/${name}.md#${slugOf(heading)})`);
    expect(wanted.filter((link) => !rows.some((row) => row.includes(link)))).toEqual([]);
  });

  test('has each example', () => {
    const isThere = (file: string) =>
      examples.some((path) => file === path || (path.endsWith('/') && file.startsWith(path)));
    expect(filesBelow('examples').filter((file) => !isThere(file))).toEqual([]);
    expect(examples.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('names tests by words that they have', () => {
    const links = [...table.matchAll(/\[([^\]]+)\]\(\.\.\/\.\.\/(test\/[^)]+)\)/g)];
    const wrong = links.flatMap(([, words = '', path = '']) =>
      existsSync(join(root, path)) && read(path).includes(words) ? [] : [`${path}: ${words}`],
    );
    expect(wrong).toEqual([]);
    expect(links.length).toBeGreaterThan(40);
  });

  test('has a test or a source in each row but one, which lists what has none', () => {
    const bare = rows.filter((row) => !/\]\((?:\.\.\/\.\.\/test\/|https:)/.test(row));
    expect(bare).toHaveLength(1);
    expect(bare[0]).toContain('terraform.md#not-proven');
  });
});
