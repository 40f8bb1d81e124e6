import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findingEntries } from '../../src/domain/doctor/catalogue.ts';
import { read, root } from '../structure/tree.ts';
import { blockOf, blocksOf, untypedIn } from './shown-blocks.ts';
import { diagnosed, players } from './shown-players.ts';

const documents = Object.keys(players);

describe.each(documents)('%s', (document) => {
  const known = players[document] ?? {};

  test('each block that it shows has a test, or a reason why there is none', () => {
    const names = blocksOf(document)
      .map(({ name }) => name)
      .filter((name) => !isDiagnosis(document, name));
    expect(names).toEqual(Object.keys(known));
  });

  test('each of these tests is there, and reads the block or types each of its lines', () => {
    const faults = Object.entries(known).flatMap(([name, player]) => {
      if ('nobody' in player) return player.nobody === '' ? [name] : [];
      const file = 'plays' in player ? player.plays : player.types;
      if (!existsSync(join(root, file))) return [`${name}: no ${file}`];
      if ('plays' in player) return reads(read(file), document, name) ? [] : [`${name}: ${file}`];
      return untypedIn(read(file), document, blockOf(document, name)).map(
        (line) => `${name}: ${file} does not type ${line}`,
      );
    });
    expect(faults).toEqual([]);
  });
});

test('below a diagnosis of the runbook stands what its worlds type', () => {
  expect(read(diagnosed)).toContain('every diagnosis that prints a command has a world');
  const shown = blocksOf('docs/operate/runbook.md').filter(({ name }) =>
    isDiagnosis('docs/operate/runbook.md', name),
  );
  expect(shown.length).toBeGreaterThan(30);
  for (const { name, text } of shown) {
    const entry = findingEntries[name.slice(0, -2) as keyof typeof findingEntries];
    expect(text.trim().split('\n')).toHaveLength(entry.commands.length);
  }
});

test('a line is typed where it stands as a whole, and a line of AWS where all of those are taken', () => {
  const text = 'aws ssm a # 7\nhosted-runner b \\\n  --c …\nhosted-runner d\n';
  const untyped = (source: string) => untypedIn(source, 'docs/a.md', text);
  expect(
    untyped("type('aws ssm a'); type('hosted-runner b --c 5'); type(`hosted-runner d`)"),
  ).toEqual([]);
  expect(untyped("awsLinesIn(read('docs/a.md'))")).toEqual([
    'hosted-runner b --c …',
    'hosted-runner d',
  ]);
  expect(untyped("awsLinesIn(read('docs/b.md')); type('hosted-runner d --e')")).toHaveLength(3);
});

test('npm run demo is the demo that a test plays', () => {
  const { scripts } = JSON.parse(read('package.json'));
  expect(blockOf('README.md', 'Try it 1')).toBe('npm run demo\n');
  expect(scripts.demo).toBe('node dist/index.js demo');
});

function isDiagnosis(document: string, name: string): boolean {
  return document.endsWith('runbook.md') && name.slice(0, -2) in findingEntries;
}

/** By its whole name, or by the heading where several of one heading are counted. */
function reads(source: string, document: string, name: string): boolean {
  const [, heading = '', count] = /^(.*) (\d+)$/.exec(name) ?? [];
  const counted = source.includes(`\`${heading} \${count}\``) && source.includes(`(${count})`);
  return source.includes(document) && (source.includes(`'${name}'`) || counted);
}
