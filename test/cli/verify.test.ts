import { expect, test } from '@jest/globals';
import { verifyFiles } from '../../src/cli/verify-command.ts';
import { file, head, record, run } from '../verify/lines.ts';
import { type } from './commanding.ts';
import { folderOf } from './folder-in-memory.ts';

async function verify(files: Record<string, string>, json = false) {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const folder = folderOf(files);
  const exit = await verifyFiles({ files: Object.keys(files), json }, { folder, write });
  return { exit, written };
}

const good = file(run('a', head(), record('applied')));
const bad = file(run('b', head(), record('applied', { candidate: 'purple', retiring: 'pink' })));

test('several files are checked as one deployment, in their order', async () => {
  expect(await verify({ 'one.jsonl': good })).toMatchObject({ exit: 0 });
  const { exit, written } = await verify({ 'one.jsonl': good, 'two.jsonl': bad });
  expect(exit).toBe(3);
  expect(written).toContain(
    '✖ S5  one deployment has one direction, and switches the status once\n',
  );
  expect(written).toContain('line 4: 1-200 is purple for pink, and was pink for purple\n');
  expect(written).toMatch(
    /2 runs, 4 lines: \d+ held, 1 violated, \d+ not decidable from this file\.\n$/,
  );
});

test('a file that is named twice, or is part of another one, is checked once', async () => {
  const { exit, written } = await verify({
    'one.jsonl': good,
    'all.jsonl': `\ufeff${good.replaceAll('\n', '\r\n')}`,
  });
  expect(exit).toBe(0);
  expect(written).toContain('\n! 2 lines are given twice\n1 run, 2 lines: ');
});

test('an unreadable file is bad input', async () => {
  const denied = Object.assign(new Error('EISDIR: illegal operation'), { code: 'EISDIR' });
  const folder = { ...folderOf({}), read: () => Promise.reject(denied) };
  await expect(
    verifyFiles({ files: ['reports'], json: false }, { folder, write: () => {} }),
  ).rejects.toMatchObject({
    exitCode: 2,
    fields: { what: 'reports cannot be read (EISDIR).' },
  });
});

test('--json prints the findings', async () => {
  const { written } = await verify({ 'one.jsonl': good }, true);
  expect(JSON.parse(written)).toMatchObject({ runs: 1, lines: 2, damage: [] });
});

test('a file without evidence is bad input', async () => {
  await expect(verify({ 'x.txt': 'hello\n' })).rejects.toMatchObject({ exitCode: 2 });
});

test('the command accepts files', async () => {
  const { reached } = await type(['verify', 'a.jsonl', 'b.jsonl', '--json']);
  expect(reached).toEqual({
    name: 'verify',
    options: { files: ['a.jsonl', 'b.jsonl'], json: true },
  });
  expect((await type(['verify'])).exit).toBe(2);
});

test.each([
  [5, []],
  [6, ['       and 1 more']],
  [8, ['       and 3 more']],
])('shows, of %d reasons, five and counts the others', async (count, more) => {
  const other = record('applied', { candidate: 'purple', retiring: 'pink' });
  const bads = Array.from({ length: count }, (_, index) => [
    `bad-${index}.jsonl`,
    file(run(`b${index}`, head(), other)),
  ]);
  const { written } = await verify({ 'one.jsonl': good, ...Object.fromEntries(bads) });
  const [, reasons = ''] = /✖ S5 .*\n((?: {7}.*\n)*)/.exec(written) ?? [];
  expect(reasons.trimEnd().split('\n').slice(5)).toEqual(more);
});
