import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { forgetIfDeleted } from '../../../sandbox/actions-runner/home.ts';
import { ActionsRunner } from '../../../sandbox/actions-runner/runner.ts';
import { type Listening, listen } from '../../../sandbox/listening.ts';
import type { ManagerSettings } from '../../../sandbox/manager/orders.ts';
import { githubWords } from '../../../src/adapters/github/words.ts';
import { createSandboxGitHub, type SandboxGitHub } from '../../github/sandbox-github.ts';

let sandbox: SandboxGitHub;
let server: Listening;
let home: string;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
  server = await listen(sandbox.github, 0);
  home = mkdtempSync(join(tmpdir(), 'actions-runner-'));
});
afterEach(async () => {
  await server.close();
  sandbox.close();
  rmSync(home, { recursive: true, force: true });
});

/** A listener, to its end; `onLine` hears each line of its log. */
async function runListener({
  version = '2.337.0',
  group = 'Default',
  token = '',
  onLine = () => undefined,
}: {
  version?: string;
  group?: string;
  token?: string;
  onLine?: (line: string) => void;
}): Promise<{ code: number; log: string[] }> {
  const log: string[] = [];
  const settings = {
    url: `http://127.0.0.1:${server.port}`,
    token,
    version,
    conduct: 'works',
    checkIntervalMs: 1,
    traceIntervalMs: 1,
    github: { name: 'pink-linux-i-0123456789abcdef0', labels: [], group, ephemeral: false, home },
  } as unknown as ManagerSettings;
  const runner = new ActionsRunner({
    settings,
    log: (line) => {
      log.push(line);
      onLine(line);
    },
    onContact: () => undefined,
    onWorkers: () => undefined,
    now: () => 0,
  });
  return { code: await runner.run(), log };
}

async function newToken(): Promise<string> {
  const answer = await sandbox.client.request('POST /orgs/acme/actions/runners/registration-token');
  return (answer.data as { token: string }).token;
}

/** Removed by somebody while it listens. */
function removing(line: string): void {
  if (line !== 'Listening for Jobs') return;
  for (const { id } of sandbox.github.runners())
    void sandbox.client.request('DELETE /orgs/acme/actions/runners/{id}', { id });
}

const hasCredentials = () => existsSync(join(home, '.credentials'));
const records = () =>
  readdirSync(join(home, '_diag'))
    .map((file) => readFileSync(join(home, '_diag', file), 'utf8'))
    .join('');

test('one that is removed while it listens forgets itself and ends well, from 2.336 on', async () => {
  const ended = await runListener({ token: await newToken(), onLine: removing });
  expect(ended).toEqual({
    code: 0,
    log: [
      'Runner successfully added',
      'Listening for Jobs',
      'The runner no longer exists on the server. Cleaning up local configuration.',
    ],
  });
  expect(hasCredentials()).toBe(false);
});

test('an older one keeps its files, and is refused at each start', async () => {
  // Versions that nobody knows do not end here.
  const old = { version: '2.334.0', token: await newToken() };
  const ended = await runListener({ ...old, onLine: removing });
  expect(ended).toMatchObject({ code: 1 });
  expect(ended.log.at(-1)).toBe('An error occurred: Runner not found');
  expect(hasCredentials()).toBe(true);
  const again = await runListener(old);
  expect(again.code).toBe(1);
  expect(again.log).toEqual([
    expect.stringMatching(
      /^Failed to create a session\. The runner registration has been deleted from the server/,
    ),
  ]);
  expect(hasCredentials()).toBe(true);
  expect(records()).toContain('The runner registration has been deleted from the server');
  forgetIfDeleted(home);
  expect(hasCredentials()).toBe(false);
});

test.each([
  ['a token that nobody gave', {}, /^Http response code: NotFound from 'POST /],
  [
    'a group that is not there',
    { group: 'gpu' },
    /^Could not find any self-hosted runner group named "gpu"\.$/,
  ],
  ['a version that may not register', { version: '2.328.0' }, /^RUNNER UPDATE REQUIRED$/],
])(
  '%s is refused in the words of config.sh, which the diagnosis knows',
  async (what, given, words) => {
    const token = what.startsWith('a token') ? 'wrong' : await newToken();
    const { code, log } = await runListener({ token, ...given });
    expect({ code, log }).toEqual({ code: 1, log: [expect.stringMatching(words)] });
    const { token_refused: refused, version_ended: ended } = githubWords.logSigns;
    expect(refused?.test(log[0] ?? '') || ended?.test(log[0] ?? '')).toBe(true);
  },
);
