import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import { drainUnfinished } from '../../src/errors/drain-errors.ts';
import { noResponse } from '../../src/errors/external-errors.ts';
import { lockHeld } from '../../src/errors/lock-errors.ts';
import { renderError } from '../../src/errors/render.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import { withoutAddress } from '../support/without-address.ts';
import { catalogue } from './catalogue.ts';
import { commandsIn, othersIn } from './commands-in.ts';
import { worlds } from './printing-stacks/worlds.ts';

const folder = new URL('../../src/errors/', import.meta.url);

/** Read whole: of bad input, of a lock, of a drain, of a healthcheck and of Terraform. */
const examples = [
  'UnknownStack',
  'LockHeld',
  'DrainTimedOut',
  'HealthcheckTimedOut',
  'PlanRefused',
];

describe('the catalogue of errors', () => {
  test('keeps the exit code of each error, and what it says to type', () => {
    const kept = catalogue.map(({ code, fields: { exitCode, fix = [] } }) => {
      const typed = [...commandsIn(fix), ...othersIn(fix)].map((line) => `\n  ${line}`);
      return `${code}, exit code ${exitCode}${withoutAddress(typed.join(''))}`;
    });
    expect(`\n${kept.join('\n')}\n`).toMatchSnapshot();
  });

  test.each(examples)('reads as in the example of %s', (wanted) => {
    const { fields } = catalogue.find(({ code }) => code === wanted) as DeployError;
    const now = fields.now ?? 'pink serves jobs. purple is in quarantine.';
    expect(`\n${withoutAddress(renderError('provision', { ...fields, now }))}`).toMatchSnapshot();
  });

  test('has every code that the sources know', () => {
    const known = new Set<string>([...catalogue, ...worlds].map(({ code }) => code));
    const written = readdirSync(folder)
      .flatMap((name) => [
        ...readFileSync(new URL(name, folder), 'utf8').matchAll(/code: '(\w+)'/g),
      ])
      .map(([, code]) => code);
    expect(written.filter((code) => !known.has(code ?? ''))).toEqual([]);
  });

  test('says what to do in at most three lines, and pleads with nobody', () => {
    for (const { code, fields } of catalogue) {
      expect({ code, lines: (fields.fix ?? []).length <= 3 }).toEqual({ code, lines: true });
      expect(renderError('x', fields)).not.toMatch(/\bplease\b|failed to|check the logs/i);
    }
  });

  test('begins with a capital letter, or with a name that is written small', () => {
    const written = readdirSync(folder).flatMap((name) => [
      ...readFileSync(new URL(name, folder), 'utf8').matchAll(/\bwhat:\s*[`'"](\S+)/g),
    ]);
    // A shard, a stage, a file, a key of the configuration: never a word of the sentence itself.
    const isName = (word: string) => word.startsWith('${') || /^[a-z_]+\.[a-z_]+$/.test(word);
    const small = written.map(([, word = '']) => word).filter((word) => !/^[A-Z]/.test(word));
    expect(small.filter((word) => !isName(word))).toEqual([]);
    expect(written.length).toBeGreaterThan(30);
  });
});

describe('exit code 75', () => {
  const facts = { runner: 'linux', stage: 'finalize', shard: 'pink', reason: 'x', jobs: [] };

  test.each<[string, number, Parameters<typeof lockHeld>[0]]>([
    ['is of a lock whose owner runs', 75, { ...facts, isAlive: true, isOld: true }],
    ['is of a lock whose owner no source reports', 75, { ...facts, isAlive: false }],
    ['is not of such a lock after a day', 3, { ...facts, isAlive: false, isOld: true }],
    ['is not of a lock whose process is stopped', 3, { ...facts, isAlive: true, stoppedPid: 7 }],
  ])('%s', (_, exitCode, held) => {
    expect(lockHeld(held).exitCode).toBe(exitCode);
  });

  test.each([
    ['is of a shard that drains', 75, {}],
    ['is not of a stopped instance', 3, { stopped: ['i-0abc0000000000001'] }],
    ['is not of another runner that is not paused', 3, { byOther: true }],
  ])('%s', (_, exitCode, more) => {
    expect(drainUnfinished({ ...facts, ...more }).exitCode).toBe(exitCode);
  });

  test.each([
    ['is of an outage', 75, undefined, false],
    ['is not of a name that does not exist', 1, 'unknown_name', false],
    ['is not of a CA that is not trusted', 1, 'untrusted_certificate', false],
    ['is not of a deployment without progress for a day', 1, undefined, true],
  ] as const)('%s', (_, exitCode, lasting, isOld) => {
    const fields = {
      kind: 'unreachable',
      effect: 'none',
      source: 'GitLab GET /runners/5',
    } as const;
    const failure = new PortFailure({ ...fields, detail: 'no answer', lasting });
    expect(noResponse(failure, 'hosted-runner finalize', isOld).exitCode).toBe(exitCode);
  });
});
