import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../e2e/by-hand/world/world.ts';
import { openTerminal, type Terminal, typeAll } from './terminal.ts';

let world: World;
let terminal: Terminal;
beforeAll(async () => {
  world = await openWorld();
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  terminal = openTerminal(world.environment);
});
afterAll(async () => {
  terminal.close();
  await world.close();
});

async function bound(
  port: number,
): Promise<{ port: number; close: () => Promise<void> } | undefined> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isListening) return undefined;
  return {
    port: (server.address() as { port: number }).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const status = 'hosted-runner status --runner linux';

describe('the commands printed about a stack', () => {
  test.each<[string, string, Record<string, string>, Record<string, string>?]>([
    ['activate --runner linux --shard pnk', '2 UnknownShard', { [status]: '0' }],
    [
      'rollback --runner linux',
      '2 NotStartedByHand',
      { [status]: '0' },
      { GITLAB_CI: 'true', HOSTED_RUNNER_BY_HAND: 'true' },
    ],
    // Errors of files. test/cli/usage-fixes.test.ts covers errors of the command line.
    ['verify nothing.jsonl', '2 BadUsage', { 'hosted-runner verify --help': '0' }],
    [
      'replay nothing.jsonl',
      '2 BadUsage',
      { 'HOSTED_RUNNER_RECORD=recording.jsonl hosted-runner status': '0' },
    ],
    ['init --config nowhere/at/all.yml', '2 BadUsage', { 'hosted-runner init --config FILE': '0' }],
  ])('run as printed by hosted-runner %s', async (typed, how, leads, environment = {}) => {
    const error = await terminal.type(`hosted-runner ${typed}`, environment);
    expect(error.how).toBe(how);
    const fill = (line: string) => line.replace(/ FILE$/, ' written.yml');
    expect(await typeAll(terminal, error, { fill })).toEqual(leads);
  });

  test('run as printed for WrongRegion', async () => {
    const finalize = 'hosted-runner finalize --runner linux --set aws.region=eu-central-1';
    const error = await terminal.type(finalize);
    expect(error.how).toBe('2 WrongRegion');
    expect((await terminal.type(`${error.fix[0]}; ${finalize}`)).how).toBe('0');
  });

  test('run as printed for RecordUnwritable', async () => {
    const environment = { HOSTED_RUNNER_RECORD: 'bin/hosted-runner/recording.jsonl' };
    const error = await terminal.type('hosted-runner status', environment);
    expect([error.how, error.fix[1]]).toEqual([
      '2 RecordUnwritable',
      'Or disable the recording: unset HOSTED_RUNNER_RECORD',
    ]);
    expect(
      (await terminal.type('unset HOSTED_RUNNER_RECORD; hosted-runner status', environment)).how,
    ).toBe('0');
  });

  test('run as printed for EndpointSilent', async () => {
    const free = await bound(0);
    await free?.close();
    const error = await terminal.type(
      `hosted-runner healthcheck --runner linux --once --listen 127.0.0.1:${free?.port}`,
    );
    expect(error.how).toBe('1 EndpointSilent');
    expect(await typeAll(terminal, error)).toEqual({
      [`hosted-runner healthcheck --runner linux --listen 127.0.0.1:${free?.port}`]: 'serves, 0',
    });
  });

  test('run as printed for AddressTaken', async () => {
    const taken = await bound(0);
    const error = await terminal.type(
      `hosted-runner healthcheck --runner linux --listen 127.0.0.1:${taken?.port}`,
    );
    expect(error.how).toBe('2 AddressTaken');
    expect(await typeAll(terminal, error)).toEqual({
      'hosted-runner healthcheck --runner linux --listen 127.0.0.1:0': 'serves, 0',
    });
    await taken?.close();
  });
});

test.each([
  'hosted-runner healthcheck --runner linux --once --shard pink --set healthcheck.poll=1s',
  `hosted-runner healthcheck --once --runner linux --set 'infrastructure.working_directory=it'\\''s ours'`,
])('a command to run again is printed as it was typed: %s', async (line) => {
  const error = await terminal.type(line, { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-notTheRightOne1' });
  expect([error.how, error.fix.at(-1)]).toEqual([
    '1 CredentialsRefused',
    `Then run it again: ${line}`,
  ]);
  expect((await terminal.type(line)).how).toBe('0');
});
