import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import type { DeployError } from '../../../src/errors/deploy-error.ts';
import { commandsIn, othersIn } from '../commands-in.ts';

type Make = (...values: readonly unknown[]) => unknown;

/** Calls of the catalogue's functions with their values. */
const calls: { readonly make: Make; readonly values: readonly unknown[] }[] = [];
const files = [
  'bake-errors',
  'component-errors',
  'credential-errors',
  'drain-errors',
  'healthcheck-errors',
  'input-errors',
  'lock-errors',
  'output-errors',
  'external-errors',
  'recovery-errors',
  'run-errors',
  'sandbox-errors',
  'service-errors',
  'shard-errors',
  'state-errors',
  'takeover-errors',
  'terraform-errors',
];
for (const file of files) {
  const path = `../../../src/errors/${file}.ts`;
  const actual = (await import(path)) as Readonly<Record<string, unknown>>;
  jest.unstable_mockModule(path, () =>
    Object.fromEntries(
      Object.entries(actual).map(([name, make]) => [
        name,
        typeof make !== 'function'
          ? make
          : (...values: readonly unknown[]) => {
              calls.push({ make: make as Make, values });
              return (make as Make)(...values);
            },
      ]),
    ),
  );
}
await import('../catalogue.ts');

const mark = 'EVIL';
const hostile = [
  `x;touch ${mark}|sh`,
  `$(touch ${mark})`,
  `\`touch ${mark}\``,
  `it's "a" ${mark} & *`,
  `=${mark}`,
];

/** Decides whether a text is a key of a choice, a printed command, or prose. */
const isProgramText = (path: string, text: string) =>
  /\b(?:command|again|goes|next|more|config|text|kind|code|ci|stage|anyPort)$/.test(path) ||
  /^hosted-runner /.test(text) ||
  text === '';

interface Leaf {
  readonly path: string;
  readonly spoil: (with_: string) => readonly unknown[];
}

/** Lists every text in the values, with the values that have another text in its place. */
function leavesOf(values: readonly unknown[]): Leaf[] {
  const walk = (
    value: unknown,
    path: string,
    put: (changed: unknown) => readonly unknown[],
  ): Leaf[] => {
    if (typeof value === 'string')
      return isProgramText(path, value) ? [] : [{ path, spoil: (text) => put(text) }];
    if (value === null || typeof value !== 'object') return [];
    if (Array.isArray(value)) {
      return value.flatMap((item, index) =>
        walk(item, `${path}.${index}`, (changed) => put(value.with(index, changed))),
      );
    }
    if (Object.getPrototypeOf(value) !== Object.prototype) return [];
    return Object.entries(value).flatMap(([key, item]) =>
      walk(item, `${path}.${key}`, (changed) => put({ ...value, [key]: changed })),
    );
  };
  return values.flatMap((value, index) =>
    walk(value, String(index), (changed) => values.with(index, changed)),
  );
}

/** Lists the printed commands; none if the function has no entry for the spoiled value. */
function printedBy(make: Make, values: readonly unknown[]): string[] {
  try {
    const { fields } = make(...values) as DeployError;
    return [...commandsIn(fields.fix ?? []), ...othersIn(fields.fix ?? [])];
  } catch {
    return [];
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));

/** Splits commands into words like a shell; no words for a syntax error. */
function wordsOf(commands: readonly string[]): string[][] {
  const script = commands
    // Each command runs in a subshell, so a syntax error does not end the others.
    .map((command) => `(eval ${quoted(`set -- ${command}; printf '%s\\0' "$@"`)}); printf '#\\0'`)
    .join('\n');
  const { stdout } = spawnSync('/bin/sh', ['-f', '-c', script], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
  const found: string[][] = [[]];
  for (const word of stdout.split('\0')) {
    if (word === '#') found.push([]);
    else found.at(-1)?.push(word);
  }
  return found.slice(0, -1);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

describe('a printed command with any value', () => {
  const printed = calls.flatMap(({ make, values }) =>
    leavesOf(values).flatMap(({ path, spoil }) =>
      hostile.flatMap((text) =>
        printedBy(make, spoil(text))
          .filter((command) => command.includes(mark))
          .map((command) => ({ path, text, command })),
      ),
    ),
  );

  test('covers the values of most commands', () => {
    expect(new Set(printed.map(({ command }) => command)).size).toBeGreaterThan(100);
  });

  test('stays one command of the intended words in a shell, and runs nothing else', () => {
    const words = wordsOf(printed.map(({ command }) => command));
    const wrong = printed.filter(
      ({ text }, index) => words[index]?.some((word) => word.includes(text)) !== true,
    );
    expect(wrong).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });
});
