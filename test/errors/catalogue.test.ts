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

/** Errors whose whole text was reviewed: input, lock, drain, healthcheck and Terraform. */
const examples = [
  'UnknownStack',
  'LockHeld',
  'DrainTimedOut',
  'HealthcheckTimedOut',
  'PlanRefused',
];

describe('the catalogue of errors', () => {
  test('keeps the exit code and the commands of each error', () => {
    const kept = catalogue.map(({ code, fields: { exitCode, fix = [] } }) => {
      const typed = [...commandsIn(fix), ...othersIn(fix)].map((line) => `\n  ${line}`);
      return `${code}, exit code ${exitCode}${withoutAddress(typed.join(''))}`;
    });
    expect(`\n${kept.join('\n')}\n`).toMatchSnapshot();
  });

  test.each(examples)('reads as in the example of %s', (wanted) => {
    const { fields } = catalogue.find(({ code }) => code === wanted) as DeployError;
    const now = fields.now ?? 'pink accepts jobs. purple is in quarantine.';
    expect(`\n${withoutAddress(renderError('provision', { ...fields, now }))}`).toMatchSnapshot();
  });

  test('contains every code of the sources', () => {
    const known = new Set<string>([...catalogue, ...worlds].map(({ code }) => code));
    const written = readdirSync(folder)
      .flatMap((name) => [
        ...readFileSync(new URL(name, folder), 'utf8').matchAll(/code: '(\w+)'/g),
      ])
      .map(([, code]) => code);
    expect(written.filter((code) => !known.has(code ?? ''))).toEqual([]);
  });

  test('gives at most three fixes, without "please"', () => {
    for (const { code, fields } of catalogue) {
      expect({ code, lines: (fields.fix ?? []).length <= 3 }).toEqual({ code, lines: true });
      expect(renderError('x', fields)).not.toMatch(/\bplease\b|failed to|check the logs/i);
    }
  });

  test('begins with a capital letter, or with a name in lower case', () => {
    const written = readdirSync(folder).flatMap((name) => [
      ...readFileSync(new URL(name, folder), 'utf8').matchAll(/\bwhat:\s*[`'"](\S+)/g),
    ]);
    // Decides whether a word is a name of a shard, a stage, a file or a key. Other words belong to
    // the sentence.
    const isName = (word: string) => word.startsWith('${') || /^[a-z_]+\.[a-z_]+$/.test(word);
    const small = written.map(([, word = '']) => word).filter((word) => !/^[A-Z]/.test(word));
    expect(small.filter((word) => !isName(word))).toEqual([]);
    expect(written.length).toBeGreaterThan(30);
  });
});

describe('exit code 75', () => {
  const facts = { runner: 'linux', stage: 'finalize', shard: 'pink', reason: 'x', jobs: [] };

  test.each<[string, number, Parameters<typeof lockHeld>[0]]>([
    ['a lock whose owner runs exits 75', 75, { ...facts, isAlive: true, isOld: true }],
    ['a lock whose owner no source reports exits 75', 75, { ...facts, isAlive: false }],
    ['a lock without an owner exits 3 after a day', 3, { ...facts, isAlive: false, isOld: true }],
    ['a lock whose process is stopped exits 3', 3, { ...facts, isAlive: true, stoppedPid: 7 }],
  ])('follows the owner of the lock: %s', (_, exitCode, held) => {
    expect(lockHeld(held).exitCode).toBe(exitCode);
  });

  test.each([
    ['a draining shard exits 75', 75, {}],
    ['a stopped instance exits 3', 3, { stopped: ['i-0abc0000000000001'] }],
    ['another unpaused runner exits 3', 3, { byOther: true }],
  ])('follows the state of the other shard: %s', (_, exitCode, more) => {
    expect(drainUnfinished({ ...facts, ...more }).exitCode).toBe(exitCode);
  });

  test.each([
    ['an outage exits 75', 75, undefined, false],
    ['a name that does not exist exits 1', 1, 'unknown_name', false],
    ['an untrusted CA exits 1', 1, 'untrusted_certificate', false],
    ['a deployment without progress for a day exits 1', 1, undefined, true],
  ] as const)('follows the cause: %s', (_, exitCode, lasting, isOld) => {
    const fields = {
      kind: 'unreachable',
      effect: 'none',
      source: 'GitLab GET /runners/5',
    } as const;
    const failure = new PortFailure({ ...fields, detail: 'no answer', lasting });
    expect(noResponse(failure, 'hosted-runner finalize', isOld).exitCode).toBe(exitCode);
  });
});
