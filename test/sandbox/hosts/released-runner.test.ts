import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connect, connectHost, dockerHost } from '../../aws/sandbox-aws.ts';
import { openSandbox, registerRunner, until } from './running-sandbox.ts';

/**
 * No runner: it only says how it was called, and ends at the signals by which it would. What a released one
 * does is in test/e2e/released-runner.test.ts.
 */
const recorder = `#!/bin/sh
echo "$*" >>"$0.calls"
case $1 in
  --version) printf 'Version:      17.11.1\\nGit revision: 0123abcd\\n' ;;
  verify) echo 'Verifying runner... is valid                        runner=AbCdEfGhI' >&2 ;;
  run)
    trap 'echo QUIT >>"$0.calls"; exit 0' QUIT
    trap 'echo TERM >>"$0.calls"; exit 1' TERM
    echo 'Starting multi-runner from config.toml...' >&2
    while :; do sleep 0.05; done ;;
esac
`;

describe('a released runner on the hosts', () => {
  let folder = '';
  let world: Awaited<ReturnType<typeof openSandbox>>;
  let hostId = '';
  const calls = () => readFileSync(join(folder, 'gitlab-runner.calls'), 'utf8').trim().split('\n');
  const inMachine = (path: string) => join(world.folder, 'machines', hostId, path);
  const host = () => connectHost(connect(world.sandbox.ssmUrl), dockerHost);
  const unit = () => world.sandbox.fleet.machine(hostId)?.unit;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'released-'));
    const runnerBinary = join(folder, 'gitlab-runner');
    writeFileSync(runnerBinary, recorder);
    chmodSync(runnerBinary, 0o755);
    world = await openSandbox({
      runnerBinary,
      behaviour: { concurrent: 3, checkIntervalMs: 2000 },
    });
    const { token } = await registerRunner(world);
    [hostId = ''] = (
      await world.sandbox.stacks.apply({ runnerName: 'linux', shard: 'pink' })
    ).instanceIds;
    await until(() => calls().some((call) => call.startsWith('run ')));
    expect(token).toMatch(/^glrt-/);
  });
  afterEach(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is started with a configuration of its own, which nobody else may read', () => {
    const file = inMachine('etc/gitlab-runner/config.toml');
    expect(calls()).toEqual([
      '--version',
      `run --config ${file} --working-directory ${inMachine('builds')}`,
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8')
      .replace(/glrt-[\w-]+/, 'TOKEN')
      .replace(/:\d+/g, ':PORT');
    expect(text).toBe(`concurrent = 3
check_interval = 2
listen_address = "127.0.0.1:PORT"

[[runners]]
  name = "sandbox"
  url = "http://127.0.0.1:PORT"
  token = "TOKEN"
  request_concurrency = 3
  executor = "shell"
  builds_dir = "${inMachine('builds')}"
  cache_dir = "${inMachine('builds/cache')}"
`);
    expect(readFileSync(inMachine('etc/gitlab-runner/.runner_system_id'), 'utf8')).toMatch(/^s_/);
  });

  test('answers for itself: its version, its log and its verify', async () => {
    expect(await host().look(hostId)).toMatchObject({
      process: 'running',
      version: '17.11.1',
      log: [expect.stringMatching(/^\S+Z Starting multi-runner from config\.toml\.\.\.$/)],
    });
    expect(await host().verifyToken(hostId)).toEqual({
      kind: 'accepted',
      detail: 'Verifying runner... is valid runner=AbCdEfGhI',
    });
    expect(calls().at(-1)).toBe(`verify --config ${inMachine('etc/gitlab-runner/config.toml')}`);
  });

  test('hears the very signals, and stays down after SIGQUIT', async () => {
    expect(await host().quit(hostId)).toEqual({ kind: 'sent' });
    await until(() => unit()?.isRunning === false);
    expect(calls().at(-1)).toBe('QUIT');
    expect(await host().look(hostId)).toMatchObject({ process: 'stopped', restarts: false });
  });

  test('ends with its machine, and its configuration with it', async () => {
    const file = inMachine('etc/gitlab-runner/config.toml');
    await world.sandbox.fleet.stop(hostId);
    expect(calls().at(-1)).toBe('TERM');
    expect(existsSync(file)).toBe(false);
  });
});

test('what tells no version of a gitlab-runner is refused before anything is started', async () => {
  await expect(openSandbox({ runnerBinary: '/bin/true' })).rejects.toMatchObject({
    code: 'RunnerBinaryUnusable',
  });
});
