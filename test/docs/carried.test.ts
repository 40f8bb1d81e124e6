import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { filesBelow, read, root } from '../structure/tree.ts';
import { titlesIn } from './titles.ts';

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

  test('has each folder of examples', () => {
    const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/') + 1);
    const isThere = (file: string) =>
      examples.includes(folderOf(file) === 'examples/' ? file : folderOf(file));
    expect(filesBelow('examples').filter((file) => !isThere(file))).toEqual([]);
    expect(examples.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('names tests that are there and not skipped, by words of their titles', () => {
    const links = [...table.matchAll(/\[([^\]]+)\]\(\.\.\/\.\.\/(test\/[^)]+)\)/g)];
    const wrong = links.flatMap(([, words = '', path = '']) =>
      existsSync(join(root, path)) && titlesIn(read(path)).some((title) => title.includes(words))
        ? []
        : [`${path}: ${words}`],
    );
    expect(wrong).toEqual([]);
    expect(links.length).toBeGreaterThan(40);
  });

  test('knows a title from other words of its file, and what is skipped from what is not', () => {
    const source = `
      const rows = ['of a constant'];
      describe('a suite', () => {
        test('a test', () => { expect('other words'); });
        test.each(rows)('%s', () => {});
        test.each([['a row', 1]])('with %s', () => {});
        describeWithTools({ name: 'with tools', needs: [] }, () => {});
        test.skip('skipped', () => {});
        describe.skip('skipped suite', () => { test('below it', () => {}); });
      });`;
    const titles = ['a suite', 'a test', '%s', 'of a constant', 'with %s', 'a row', 'with tools'];
    expect(titlesIn(source)).toEqual(titles);
  });

  test('has a test or a source in each row but one, which lists what has none', () => {
    const bare = rows.filter((row) => !/\]\((?:\.\.\/\.\.\/test\/|https:)/.test(row));
    expect(bare).toHaveLength(1);
    expect(bare[0]).toContain('terraform.md#not-proven');
  });
});
