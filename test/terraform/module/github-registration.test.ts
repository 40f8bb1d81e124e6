import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hostFiles, openHost, type StandInHost, until } from './stand-in-host.ts';

const files = join(hostFiles, 'actions-runner');
let host: StandInHost;
beforeEach(async () => {
  host = await openHost();
});
afterEach(() => host.close());

describe('the registration of a host of GitHub’s runner', () => {
  const env = (given: Record<string, string> = {}) => ({
    RUNNER_HOME: host.folder,
    PARAMETER_PREFIX: '/gitlab/dedicated/runner/linux/',
    SHARD: 'pink',
    RUNNER_NAME: 'linux',
    GITHUB_URL: 'https://github.com/acme',
    TOKEN_PAUSE_SECONDS: '0.01',
    // systemd sets this for a unit with a user.
    HOME: '/home/runner',
    ...given,
  });
  const start = (given?: Record<string, string>, shell = '/bin/sh') =>
    host.start(join(files, 'prepare-runner.sh'), { shell, env: env(given) });
  const prepare = (given?: Record<string, string>) => start(given).ended;
  const registered = (token: string) => `token ${token} of runner in /home/runner`;
  const configured = () => host.calls().filter((call) => call.startsWith('config'));

  /** Prepares Parameter Store and a `config.sh` that records its arguments. */
  function world(fleet: object, token?: { ageSeconds: number }): void {
    const written = Date.now() - (token?.ageSeconds ?? 60) * 1000;
    writeStored('token', new Date(written).toISOString(), 'AABBCCDDEEFF');
    writeStored('fleet', new Date(written).toISOString(), JSON.stringify(fleet));
    host.stub(
      'aws',
      'case "$*" in *runner_fleet*) cat "$HOST/fleet" ;; *) cat "$HOST/token" ;; esac',
    );
    host.stub(
      'config.sh',
      `echo "token $ACTIONS_RUNNER_INPUT_TOKEN of \${AS:-root} in $HOME" >>"$HOST/calls"`,
    );
    host.stub('runuser', 'AS=$2; export AS; shift 3; exec "$@"');
    host.stub('pgrep', '[ -e "$HOST/job" ]');
    host.stub('pkill', 'exit 1');
    writeFileSync(
      join(host.folder, 'config.sh'),
      readFileSync(join(host.folder, 'bin/config.sh'), 'utf8'),
      { mode: 0o755 },
    );
  }

  /** Replaces the file in one step, because another process polls it. */
  function writeStored(name: string, written: string, value: string): void {
    writeFileSync(join(host.folder, `${name}.new`), `${written}\t${value}\n`);
    renameSync(join(host.folder, `${name}.new`), join(host.folder, name));
  }

  test('uses the shard’s labels and a fixed name, and takes its place again after a crash', async () => {
    world({ schema: 1, labels: ['linux', 'large'], intake: 'open', group: 'My group', note: '' });
    expect(await prepare()).toEqual({ code: 0, text: '' });
    expect(configured()).toEqual([
      'config.sh --unattended --url https://github.com/acme --name pink-linux-i-0123456789abcdef0 --replace --runnergroup My group --no-default-labels --disableupdate --labels linux,large',
    ]);
    expect(host.calls()).toContain(registered('AABBCCDDEEFF'));
  });

  test('waits if only the mark of a removed token exists', async () => {
    world(open);
    writeStored('token', new Date().toISOString(), '(none: retired)');
    const script = start();
    await until(() => script.text() !== '');
    expect(script.text()).toBe('waiting: no token or no fleet of pink\n');
    writeStored('token', new Date().toISOString(), 'AABBCCDDEEFF');
    expect(await script.ended).toMatchObject({ code: 0 });
    expect(host.calls()).toContain(registered('AABBCCDDEEFF'));
  });

  test('runs again if the labels changed during the registration', async () => {
    world(open);
    const written = new Date().toISOString();
    writeStored('later', written, JSON.stringify({ ...open, labels: ['big'] }));
    const file = join(host.folder, 'config.sh');
    // The promotion comes between the check of the labels and the registration.
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      `${text}[ ! -e "$HOST/later" ] || mv "$HOST/later" "$HOST/fleet"\ntouch .runner\n`,
    );
    expect(await prepare()).toEqual({
      code: 0,
      text: 'the labels of pink have changed; registering again\n',
    });
    expect(configured().map((call) => call.split(' ').at(-1))).toEqual(['linux', 'big']);
    const names = configured().map((call) => /--name (\S+)/.exec(call)?.[1]);
    const name = 'pink-linux-i-0123456789abcdef0';
    // GitHub would still assign jobs of the old labels to a runner with the same name.
    expect(names).toEqual([name, `${name}-2`]);
  });

  describe('a runner that GitHub has deleted', () => {
    const gone =
      'Failed to create a session. The runner registration has been deleted from the server';
    function registeredBefore(lastLine: string): void {
      world(open);
      writeFileSync(join(host.folder, '.runner'), '{}');
      mkdirSync(join(host.folder, '_diag'));
      writeFileSync(join(host.folder, '_diag/Runner_20261101-080000-utc.log'), `${gone}\n`);
      writeFileSync(join(host.folder, '_diag/Runner_20261102-080000-utc.log'), `${lastLine}\n`);
    }

    test('loses its registration if it is ephemeral, and registers again', async () => {
      registeredBefore(gone);
      expect(await prepare({ EPHEMERAL: 'true' })).toEqual({ code: 0, text: '' });
      expect(configured()).toHaveLength(1);
    });

    test.each([
      ['if it is persistent, because it may have been removed on purpose', 'false', gone],
      ['if an earlier process reported the deletion', 'true', 'Listening for Jobs'],
    ])('keeps its registration %s', async (_, EPHEMERAL, lastLine) => {
      registeredBefore(lastLine);
      expect(await prepare({ EPHEMERAL })).toEqual({ code: 0, text: '' });
      expect(configured()).toEqual([]);
    });
  });

  test('joins the default group if its fleet names none', async () => {
    world({ schema: 1, labels: ['linux'], intake: 'open', note: '' });
    await prepare();
    expect(configured()[0]).toContain(' --runnergroup Default --no-default-labels ');
  });

  test('creates an ephemeral runner on request', async () => {
    world({ schema: 1, labels: ['linux'], intake: 'open', note: '' });
    await prepare({ EPHEMERAL: 'true' });
    expect(configured()[0]).toMatch(/--labels linux --ephemeral$/);
  });

  const open = { schema: 1, labels: ['linux'], intake: 'open', note: '' };
  const ended =
    'waiting: the token of pink has ended: GitHub takes none after an hour; hosted-runner renew --runner linux writes a new one\n';

  test('waits while intake is paused, and uses the labels at the time of the unpause', async () => {
    world({ ...open, intake: 'closed' });
    const script = start();
    await until(() => host.calls().length > 8);
    expect(configured()).toEqual([]);
    writeStored('fleet', '2026-11-02T08:00:00+00:00', JSON.stringify({ ...open, labels: ['big'] }));
    expect(await script.ended).toEqual({
      code: 0,
      text: 'waiting: the fleet of pink is not open\n',
    });
    expect(configured()[0]).toMatch(/--labels big$/);
  });

  test('waits for a token that has not expired, and names the command that writes one', async () => {
    world(open, { ageSeconds: 3301 });
    const script = start();
    await until(() => host.calls().length > 8);
    expect(configured()).toEqual([]);
    writeStored('token', new Date().toISOString(), 'NEWTOKEN0000');
    expect(await script.ended).toEqual({ code: 0, text: ended });
    expect(host.calls()).toContain(registered('NEWTOKEN0000'));
  });

  test('reads the age of a token from either version of the command line', async () => {
    world(open);
    writeStored('token', `${Date.now() / 1000 - 60}`, 'AABBCCDDEEFF');
    expect((await prepare()).code).toBe(0);
    writeStored('token', `${Date.now() / 1000 - 3400}`, 'AABBCCDDEEFF');
    const script = start();
    await until(() => script.text() !== '');
    expect(script.text()).toBe(ended);
    script.interrupt();
    await script.ended;
  });

  test.each(['/bin/sh', '/bin/bash'])(
    'ends at once if its unit is stopped, by %s',
    async (shell) => {
      world(open, { ageSeconds: 7200 });
      const script = start({ TOKEN_PAUSE_SECONDS: '60' }, shell);
      await until(() => script.text() === ended);
      script.interrupt();
      expect((await script.ended).code).toBe(130);
      expect(configured()).toEqual([]);
    },
  );

  test('never runs twice', async () => {
    world({ schema: 1, labels: ['linux'], intake: 'open', note: '' });
    writeFileSync(join(host.folder, '.runner'), '{}');
    expect(await prepare()).toEqual({ code: 0, text: '' });
    expect(host.calls().filter((call) => /^(aws|config|pkill)/.test(call))).toEqual([]);
  });

  test('reads Parameter Store as root, and never with the home folder that jobs write', async () => {
    world(open);
    host.stub(
      'aws',
      `echo "as \${AS:-root} in $HOME" >>"$HOST/calls"; ${'case "$*" in *runner_fleet*) cat "$HOST/fleet" ;; *) cat "$HOST/token" ;; esac'}`,
    );
    expect((await prepare()).code).toBe(0);
    const reads = host.calls().filter((call) => call.startsWith('as '));
    expect(new Set(reads)).toEqual(new Set(['as root in /root']));
  });

  test('touches the folder of the jobs only as the user of the jobs', async () => {
    world(open);
    mkdirSync(join(host.folder, '_diag'));
    for (const name of ['test', 'rm', 'grep'])
      host.stub(
        name,
        `echo "\${AS:-root} calls ${name}" >>"$HOST/calls"; PATH=\${PATH#*:} exec ${name} "$@"`,
      );
    expect((await prepare({ EPHEMERAL: 'true' })).code).toBe(0);
    const calls = host.calls().filter((call) => / calls /.test(call));
    expect(calls.length).toBeGreaterThan(2);
    expect(calls.filter((call) => !call.startsWith('runner '))).toEqual([]);
  });

  test('hides its token from everything that an earlier job left', async () => {
    world(open);
    for (const name of ['.env', '.path']) writeFileSync(join(host.folder, name), 'https_proxy=x\n');
    expect((await prepare()).code).toBe(0);
    const steps = host.calls().filter((call) => /^(pkill|token)/.test(call));
    expect(steps).toEqual(['pkill -KILL -u runner', registered('AABBCCDDEEFF')]);
    expect(existsSync(join(host.folder, '.env'))).toBe(false);
    expect(existsSync(join(host.folder, '.path'))).toBe(false);
  });

  test('waits for a job that has outlived its listener', async () => {
    world(open);
    writeFileSync(join(host.folder, 'job'), '');
    const script = start();
    await until(() => script.text() !== '');
    expect(script.text()).toBe('waiting: a job of this host still runs\n');
    expect(host.calls().filter((call) => call.startsWith('pkill'))).toEqual([]);
    rmSync(join(host.folder, 'job'));
    expect((await script.ended).code).toBe(0);
  });
});
