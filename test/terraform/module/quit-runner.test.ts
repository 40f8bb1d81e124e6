import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { containerQuit } from '../../../src/adapters/aws/scripts/quit-script.ts';
import { shells } from '../../aws/scripts/shells.ts';
import { hostFiles, openHost, type StandInHost } from './stand-in-host.ts';

let host: StandInHost;
beforeEach(async () => {
  host = await openHost();
});
afterEach(() => host.close());

/** Creates processes of a container in /proc. The first one is the container's own. */
function processes(all: readonly (readonly [pid: number, name: string, children: string])[]): void {
  for (const [pid, name, children] of all) {
    const folder = join(host.folder, 'proc', String(pid));
    mkdirSync(join(folder, 'task', String(pid)), { recursive: true });
    writeFileSync(join(folder, 'comm'), `${name}\n`);
    writeFileSync(join(folder, 'task', String(pid), 'children'), children);
  }
}

/**
 * Stub of `docker exec` with another /proc, and a `kill` that only records the signalled process.
 */
const docker = `
if [ "$1" = exec ]; then
  [ "$3" = sh ] || exit 127
  text=$(printf '%s' "$5" | sed "s,/proc/,$HOST/proc/,g")
  exec sh -c "kill() { echo \\"kill \\$*\\" >>'$HOST/calls'; }
$text"
fi`;

const script = join(hostFiles, 'quit-runner.sh');
const quit = async (shell: string, words: readonly string[] = []) => {
  const wrapped = join(host.folder, 'call.sh');
  const call = [...words, script].map((word) => `'${word}'`).join(' ');
  writeFileSync(wrapped, `exec '${shell}' ${call} gitlab-runner\n`);
  return host.start(wrapped).ended;
};
const signals = () => host.calls().filter((call) => /^kill |^docker kill/.test(call));

describe('the quit signal of the runner', () => {
  beforeEach(() => host.stub('docker', docker));

  test.each(shells)(
    'reaches only its process below the init of its image, in %s',
    async (_, [shell = '', ...words]) => {
      processes([
        [1, 'dumb-init', '7 '],
        [7, 'gitlab-runner', '31 32 '],
        [31, 'fleeting-plugin', ''],
        [32, 'gitlab-runner', ''],
      ]);
      expect(await quit(shell, words)).toEqual({ code: 0, text: '' });
      expect(signals()).toEqual(['kill -QUIT 7']);
    },
  );

  test.each([
    ['without an init', [[1, 'gitlab-runner', '31 ']], 1],
    [
      'below an init of Docker and an init of the image',
      [
        [1, 'docker-init', '6 '],
        [6, 'dumb-init', '7 8 '],
        [7, 'sleep', ''],
        [8, 'gitlab-runner', ''],
      ],
      8,
    ],
  ] as const)('reaches its process %s', async (_, all, pid) => {
    processes(all);
    expect(await quit('/bin/sh')).toEqual({ code: 0, text: '' });
    expect(signals()).toEqual([`kill -QUIT ${pid}`]);
  });

  test('goes to the first process of an image without a process of its name', async () => {
    processes([
      [1, 'tini', '7 '],
      [7, 'my-runner', ''],
    ]);
    expect((await quit('/bin/sh')).code).toBe(0);
    expect(signals()).toEqual(['docker kill --signal=QUIT gitlab-runner']);
  });

  test('goes to the first process of an image that has no shell', async () => {
    host.stub('docker', 'if [ "$1" = exec ]; then exit 126; fi');
    expect((await quit('/bin/sh')).code).toBe(0);
    expect(signals()).toEqual(['docker kill --signal=QUIT gitlab-runner']);
  });
});

test('a deployment sends the same quit signal as the host', () => {
  const inner = /sh -c '([^']+)'/;
  expect(inner.exec(containerQuit)?.[1]).toBe(inner.exec(readFileSync(script, 'utf8'))?.[1]);
});

describe('the installation of the fleeting plugin', () => {
  const env = () => ({
    RUNNER_FOLDER: host.folder,
    RUNNER_IMAGE: 'registry.example.com/gitlab-runner:v19.4.0',
    PLUGIN_PAUSE_SECONDS: '0.01',
    PLUGIN_ATTEMPTS: '3',
  });
  const install = () => host.start(join(hostFiles, 'install-plugin.sh'), { env: env() }).ended;
  const configure = (text: string) => writeFileSync(join(host.folder, 'config.toml'), text);

  test('runs the installer of the same image, into a folder of the host', async () => {
    host.stub('docker', '');
    configure('[[runners]]\n  executor = "docker-autoscaler"\n  [runners.autoscaler]\n');
    expect(await install()).toEqual({ code: 0, text: '' });
    expect(host.calls()).toEqual([
      `docker run --rm --network host --volume ${host.folder}:/etc/gitlab-runner --env FLEETING_PLUGIN_PATH=/etc/gitlab-runner/fleeting registry.example.com/gitlab-runner:v19.4.0 fleeting install`,
    ]);
  });

  test('does nothing if the runner has no autoscaler', async () => {
    host.stub('docker', '');
    configure('[[runners]]\n  executor = "docker"\n');
    expect(await install()).toEqual({ code: 0, text: '' });
    expect(host.calls()).toEqual([]);
  });

  test('retries, and gives up with a log line', async () => {
    host.stub('docker', 'exit 1');
    configure('  [runners.autoscaler]\n');
    expect(await install()).toEqual({
      code: 1,
      text: 'the fleeting plugin could not be installed in 3 attempts\n',
    });
    expect(host.calls()).toHaveLength(3);
  });
});
