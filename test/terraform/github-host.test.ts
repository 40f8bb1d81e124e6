import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hostFiles, openHost, type StandInHost, until } from './stand-in-host.ts';
import { renderGitHubUserData } from './user-data.ts';

const files = join(hostFiles, 'actions-runner');
let host: StandInHost;
beforeEach(async () => {
  host = await openHost();
});
afterEach(() => host.close());

describe('graceful termination of a host of GitHub’s runner', () => {
  const hook = { HOOK_NAME: 'drain', AUTOSCALING_GROUP_NAME: 'runners' };
  const start = () =>
    host.start(join(hostFiles, 'graceful-termination.sh'), {
      env: {
        ...hook,
        HOST_STATE: join(files, 'host-state.sh'),
        SYSTEMD_RUN: join(host.folder, 'run'),
      },
    });
  const signals = () => host.calls().filter((call) => call.includes('SIGINT'));

  /** A listener that ends by SIGINT, and a job as long as the file `job` is there. */
  function runner(): void {
    mkdirSync(join(host.folder, 'run'));
    host.stub('aws', 'exit 0');
    host.stub(
      'pgrep',
      'if [ -e "$HOST/deaf" ]; then exit 3; fi; [ -e "$HOST/job" ] && echo 4711 && exit 0; exit 1',
    );
    host.stub(
      'systemctl',
      `case $1 in
is-active) if [ -e "$HOST/ended" ]; then echo inactive; exit 3; fi; echo active ;;
show) echo 4242 ;;
kill) touch "$HOST/ended" ;;
esac`,
    );
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
  }

  test('sends nothing while a job runs, and ends the listener after it', async () => {
    runner();
    writeFileSync(join(host.folder, 'job'), '');
    const service = start();
    await until(() => host.calls().filter((call) => call.startsWith('pgrep')).length > 6);
    expect(signals()).toEqual([]);
    expect(
      readFileSync(
        join(host.folder, 'run/actions-runner.service.d/graceful-termination.conf'),
        'utf8',
      ),
    ).toBe('[Service]\nRestart=no\n');
    rmSync(join(host.folder, 'job'));
    expect(await service.ended).toEqual({
      code: 0,
      text: [
        'this host is about to go: its Auto Scaling group terminates it',
        'nothing starts the runner again; waiting for the job that runs',
        'the runner has ended',
        'done',
      ]
        .map((line) => `graceful-termination: ${line}\n`)
        .join(''),
    });
    expect(signals()).toEqual([
      'systemctl kill --signal=SIGINT --kill-who=main actions-runner.service',
    ]);
    expect(host.calls().at(-1)).toContain('complete-lifecycle-action');
  });

  test('takes no silence of the process list for an idle runner', async () => {
    runner();
    writeFileSync(join(host.folder, 'deaf'), '');
    const service = start();
    await until(() => host.calls().filter((call) => call.startsWith('pgrep')).length > 6);
    expect(signals()).toEqual([]);
    rmSync(join(host.folder, 'deaf'));
    expect((await service.ended).code).toBe(0);
  });

  test('does not wait for a runner that is dead', async () => {
    runner();
    writeFileSync(join(host.folder, 'ended'), '');
    expect((await start().ended).code).toBe(0);
    expect(signals()).toEqual([]);
  });
});

describe('user data of a host of GitHub’s runner', () => {
  const programs = ['dnf', 'systemctl', 'aws', 'id', 'chown', 'curl', 'sha256sum', 'tar'];

  function boot(given?: Record<string, string>) {
    const script = renderGitHubUserData(given);
    expect(script).not.toContain('(no ');
    for (const name of programs.filter((one) => one !== 'curl')) host.stub(name, 'exit 0');
    mkdirSync(join(host.folder, 'tmp'));
    writeFileSync(join(host.folder, 'user-data.sh'), script);
    return host.start(join(host.folder, 'user-data.sh'), {
      shell: '/bin/bash',
      env: { HOST_ROOT: host.folder },
    }).ended;
  }

  function imageWithRunner(): void {
    mkdirSync(join(host.folder, 'opt/actions-runner'), { recursive: true });
    writeFileSync(join(host.folder, 'opt/actions-runner/config.sh'), '', { mode: 0o755 });
  }

  test('lays out the host and starts both services, the runner being in the image', async () => {
    imageWithRunner();
    expect((await boot()).code).toBe(0);
    expect(host.calls().filter((call) => call.startsWith('systemctl'))).toEqual([
      'systemctl enable --now docker',
      'systemctl enable --now amazon-ssm-agent',
      'systemctl daemon-reload',
      'systemctl enable --now launch-admission.service',
      'systemctl enable --now --no-block actions-runner.service',
      'systemctl enable --now graceful-termination.service',
    ]);
    expect(host.calls().filter((call) => call.startsWith('tar'))).toEqual([]);
    const text = readFileSync(join(host.folder, 'etc/actions-runner/host.env'), 'utf8');
    expect(text).toContain('INSTANCE_ID=i-0123456789abcdef0\nPARAMETER_PREFIX=');
    const prepare = join(host.folder, 'usr/local/lib/actions-runner/prepare-runner.sh');
    expect(statSync(prepare).mode & 0o111).toBe(0o111);
    expect(text).toMatch(/^LAUNCH_HOOK_NAME=$/m);
    const unit = join(host.folder, 'etc/systemd/system/launch-admission.service');
    expect(readFileSync(unit, 'utf8')).toContain('After=actions-runner.service');
    const dropIn = 'etc/systemd/system/actions-runner.service.d/10-ephemeral.conf';
    expect(existsSync(join(host.folder, dropIn))).toBe(false);
  });

  test('has an ephemeral runner started again after its job', async () => {
    imageWithRunner();
    expect((await boot({ ephemeral: 'true' })).code).toBe(0);
    const dropIn = 'etc/systemd/system/actions-runner.service.d/10-ephemeral.conf';
    expect(readFileSync(join(host.folder, dropIn), 'utf8')).toBe('[Service]\nRestart=always\n');
  });

  test('is well below the 16 KB that AWS takes', () => {
    expect(Buffer.byteLength(renderGitHubUserData())).toBeLessThan(14 * 1024);
  });

  test('has no secret in it', () => {
    expect(renderGitHubUserData()).not.toMatch(/ghp_|ghs_|AABBCC|private_key/);
  });
});
