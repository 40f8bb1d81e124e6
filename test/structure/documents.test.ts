import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rowsBelow } from '../docs/tables.ts';
import { filesBelow, read, root } from './tree.ts';

const files = filesBelow('.');
const documents = files.filter((path) => path.endsWith('.md'));

describe('documents', () => {
  test('every relative link leads to a file, and to a heading in it', () => {
    expect(documents.flatMap(brokenLinks)).toEqual([]);
  });

  test('a link whose text is a path leads to that path', () => {
    const called = documents.flatMap((document) =>
      [...read(document).matchAll(/\[`?([\w./-]+\.md)`?\]\(([^)#\s]+)/g)]
        .map(([, label = '', target = '']) => [
          label,
          posix.join(posix.dirname(document), target),
          target,
        ])
        .filter(
          ([label = '', path, target]) => label.includes('/') && ![path, target].includes(label),
        )
        .map(([label, path]) => `${document}: ${label} leads to ${path}`),
    );
    expect(called).toEqual([]);
  });

  test('every source path in a document exists', () => {
    const missing = documents
      .filter((path) => path !== 'CHANGELOG.md')
      .flatMap((path) =>
        [
          ...read(path).matchAll(
            /`((?:src|sandbox|generate|model|test|scripts|templates)\/[\w./-]*)`/g,
          ),
        ]
          .map(([, named = '']) => named)
          .filter((named) => !existsSync(join(root, named)))
          .map((named) => `${path}: ${named}`),
      );
    expect(missing).toEqual([]);
  });

  test('every code file that a document names without its path exists', () => {
    const missing = documents
      .filter((path) => path !== 'CHANGELOG.md')
      .flatMap((path) => unknownFiles(read(path)).map((name) => `${path}: ${name}`));
    expect(missing).toEqual([]);
  });

  test.each([
    ['decided in `stages-and-steps.ts`', []],
    ['decided in `deployment/stages-and-steps.ts`', []],
    ['decided in `steps.ts`', ['steps.ts']],
    [
      'decided in `domain/stages-and-steps.ts`, as `run-stage.ts` says',
      ['domain/stages-and-steps.ts'],
    ],
    ['built to `dist/action.js`', []],
  ])('the check finds a missing path: %s: %j', (text, expected) => {
    expect(unknownFiles(text)).toEqual(expected);
  });

  test('every project file that a comment names exists', () => {
    const named =
      /(?<![\w./-])(?:src|sandbox|generate|model|test|scripts|docs|templates)\/[\w./-]+\.(?:ts|json|js|md|yml)\b/g;
    const missing = files
      .filter((path) => /^(?:src|sandbox|generate|model|test|scripts)\/.*\.(?:ts|js)$/.test(path))
      .flatMap((path) =>
        read(path)
          .split('\n')
          .filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line))
          .flatMap((line) => [...line.matchAll(named)].map(String))
          .filter((one) => !existsSync(join(root, one)))
          .map((one) => `${path}: ${one}`),
      );
    expect(missing).toEqual([]);
  });

  test('CONTRIBUTING names a file of every change', () => {
    const rows = rowsBelow(read('CONTRIBUTING.md'), '| change | files |');
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(([, files = '']) => !/`(?:src|sandbox|generate)\//.test(files))).toEqual([]);
  });

  test('CONTRIBUTING counts the files of a change, each with its path', () => {
    const sections = read('CONTRIBUTING.md').matchAll(/^### .+: (\w+) files$([\s\S]*?)(?=^##)/gm);
    const counted = [...sections].map(([, number = '', text = '']) => ({
      number,
      items: [...text.matchAll(/^\d+\. `[\w-]+\/[\w./-]+`: /gm)].length,
    }));
    expect(counted).toHaveLength(5);
    expect(counted.map(({ items }) => numbers[items])).toEqual(counted.map(({ number }) => number));
  });

  test('no file contains a path of a developer’s machine', () => {
    // The words are assembled from parts, because this file itself is checked.
    const places = ['work', 'farm', 'tmp/team'].map((folder) => `/${folder}/`);
    // A short root, for example in a container, is a word that documents may contain.
    if (root.length > 20) places.push(root);
    const hosts = [['registry', 'npmjs', 'org'].join('.')];
    const offences = files.flatMap((path) => {
      const text = read(path);
      const found = [
        ...places.filter((place) => new RegExp(`(?<![\\w.*-])${place}`).test(text)),
        ...hosts.filter((host) => text.includes(host)),
      ];
      return found.map((name) => `${path}: ${name}`);
    });
    expect(offences).toEqual([]);
  });
});

const numbers = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Files that `build` writes exist only after it. */
const written = /^(?:dist|build)\//;

function unknownFiles(text: string): string[] {
  return [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.(?:ts|js))`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !written.test(name))
    .filter((name) => !files.some((path) => `/${path}`.endsWith(`/${name}`)));
}

function brokenLinks(document: string): string[] {
  const text = withoutCode(read(document));
  const inline = [...text.matchAll(/\]\(\s*<?([^)>\s]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const defined = [...text.matchAll(/^\[[^\]]+\]:\s*<?([^>\s]+)/gm)];
  return [...inline, ...defined]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
    .filter((target) => !resolves({ document, target }))
    .map((target) => `${document}: ${target}`);
}

function resolves({ document, target }: { document: string; target: string }): boolean {
  const [file = '', fragment] = target.split('#');
  const path = file === '' ? document : posix.join(posix.dirname(document), decodeURI(file));
  if (path.startsWith('..') || !existsSync(join(root, path))) return false;
  if (fragment === undefined || !path.endsWith('.md')) return true;
  return anchorsOf(read(path)).has(fragment);
}

/** Returns the anchors that both GitLab and GitHub make of headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...withoutCode(text, 'blocks').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)];
  const explicit = [...text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)].map(([, id = '']) => id);
  const anchors = headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
  return new Set([...anchors, ...explicit]);
}

function withoutCode(text: string, what: 'all' | 'blocks' = 'all'): string {
  const withoutBlocks = text.replace(/^(```+|~~~+)[\s\S]*?^\1/gm, '');
  return what === 'blocks' ? withoutBlocks : withoutBlocks.replace(/`[^`\n]*`/g, '');
}
