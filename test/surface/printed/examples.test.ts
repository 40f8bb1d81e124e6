import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandNames } from '../../../src/cli/commands/command-table.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import { at } from '../../broken-stacks/state.ts';
import { type } from '../../cli/commanding.ts';
import { type World as OpenWorld, openWorld } from '../../e2e/by-hand/world/world.ts';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import { activeShard } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { type as typeIn } from '../../operator/doctor/examine.ts';
import { failed } from '../../operator/recover/failed-candidate.ts';
import { root } from '../../support/program.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import {
  type Example,
  elsewhere,
  inNoWorld,
  inOneWorld,
  parts,
  shortened,
} from './typed-examples.ts';

/** Those that repair or turn back, and one more deployment, in worlds whose clock does not wait. */
const inAnother: readonly (readonly [line: string, active: Shard, () => Promise<World>])[] = [
  ['deploy --runner linux', pink, async () => worldWithActive(purple)],
  ['recover --runner linux --method auto', purple, () => failed(1, 'fails_jobs')],
  ['recover --runner linux --method cleanup --yes', purple, () => failed(2, 'fails_jobs')],
  ['rollback --runner linux', pink, () => at('promoted', () => {})],
  ['activate --runner linux --shard pink', pink, () => at('promoted', () => {})],
];

const ofGitHub = 'renew --runner linux-large';

test('every example of the help is typed', async () => {
  const printed: string[] = [];
  const helps = [...commandNames, 'sandbox apply', 'sandbox destroy', 'sandbox signal'].filter(
    (name) => name !== 'help',
  );
  for (const name of helps) {
    const { stdout } = await type([...name.split(' '), '--help']);
    for (const [, line = ''] of stdout.matchAll(/^ {2}\$ hosted-runner (.+)$/gm))
      printed.push(line);
  }
  const typed = [
    ...inOneWorld.map(([line]) => line),
    ...inNoWorld.map(([line]) => line),
    ...inAnother.map(([line]) => line),
    ofGitHub,
    ...Object.keys(elsewhere),
  ];
  expect([...typed].sort()).toEqual(printed.sort());
});

test.each(Object.entries(elsewhere))('%s is typed in %s', (line, file) => {
  const text = readFileSync(join(root, file), 'utf8');
  for (const word of line.split(' ')) expect(text).toContain(`'${word}'`);
});

describe('an example of the help is carried out as it stands there', () => {
  let world: OpenWorld;
  let terminal: Terminal;
  beforeAll(async () => {
    world = await openWorld();
    terminal = openTerminal({ ...world.environment, ...shortened });
    for (const folder of ['infra', 'public']) mkdirSync(join(terminal.folder, folder));
    const configuration = readFileSync(world.environment['HOSTED_RUNNER_CONFIG'] ?? '', 'utf8');
    writeFileSync(join(terminal.folder, 'infra/hosted-runners.yml'), configuration);
  });
  afterAll(async () => {
    terminal.close();
    await world.close();
  });

  // Each part inside the one before it: hooks keep the order, whatever order the tests have.
  follow(parts);
  function follow([next, ...rest]: typeof parts): void {
    if (next === undefined) return;
    const [part, examples] = next;
    describe(`in one world, ${part}`, () => {
      const ends: [string, string][] = [];
      beforeAll(async () => {
        for (const example of examples) ends.push([example[0], await typed(example)]);
      });
      test('keeps what it promises', () => {
        expect(ends).toEqual(examples.map(([line]) => [line, 'kept']));
      });
      follow(rest);
    });
  }

  async function typed([line, promise, environment]: Example): Promise<string> {
    const how = / --watch$| --listen |^dashboard(?! --once)/.test(line) ? 'serves, 0' : '0';
    const isTaken = !(await isFree(line));
    const end = await terminal.type(`hosted-runner ${line}`, environment);
    const isKept = end.how === how && promise.test(end.text);
    return isKept || (isTaken && end.how === '2 AddressTaken') ? 'kept' : `${end.how}\n${end.text}`;
  }

  test.each(inNoWorld)('%s, in an empty folder', async (line, how) => {
    if (!(await isFree(line))) return;
    const empty = openTerminal();
    try {
      expect(await empty.type(`hosted-runner ${line}`)).toMatchObject({ how });
    } finally {
      empty.close();
    }
  });

  test(`${ofGitHub}, where GitHub has the runners`, async () => {
    const github = await openWorld({ runners: 'github' });
    const file = github.environment['HOSTED_RUNNER_CONFIG'] ?? '';
    const text = readFileSync(file, 'utf8').replace(/^ {2}linux:$/m, '  linux-large:');
    writeFileSync(file, text);
    const there = openTerminal(github.environment);
    try {
      expect(await there.type(`hosted-runner ${ofGitHub}`)).toMatchObject({ how: '0' });
    } finally {
      there.close();
      await github.close();
    }
  });

  test.each(inAnother)('%s makes %s active', async (line, active, build) => {
    const before = await build();
    const [stack] = before.stacks;
    if (stack === undefined) throw new Error('there is no stack');
    expect(activeShard(before, stack)).not.toBe(active);
    const ending = await typeIn(before, `hosted-runner ${line}`);
    expect(ending.kind === 'error' ? ending.error.code : ending.kind).toBe('done');
    expect(activeShard(before, stack)).toBe(active);
  });
});

/** Whether nobody listens where the example says; something else of this machine may. */
async function isFree(line: string): Promise<boolean> {
  const port = /(?:127\.0\.0\.1:|--port )(\d+)$/.exec(line)?.[1];
  if (port === undefined) return true;
  const server = createServer();
  const isBound = await new Promise<boolean>((resolve) => {
    server.on('error', () => resolve(false));
    server.listen(Number(port), '127.0.0.1', () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return isBound;
}
