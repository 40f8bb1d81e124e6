import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openHost, type StandInHost } from './stand-in-host.ts';
import { renderGitHubUserData } from './user-data.ts';

let host: StandInHost;
beforeEach(async () => {
  host = await openHost();
});
afterEach(() => host.close());

describe('the user data of a host of GitHub’s runner', () => {
  function boot(given?: Record<string, string>) {
    const script = renderGitHubUserData(given);
    expect(script).not.toContain('(no ');
    for (const name of ['dnf', 'systemctl', 'id', 'usermod', 'chown', 'sha256sum', 'tar'])
      host.stub(name, 'exit 0');
    host.stub('aws', 'echo /gitlab/dedicated/runner/linux/pink/runner_token');
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

  test('prepares the host and starts both services, since the image contains the runner', async () => {
    imageWithRunner();
    expect((await boot()).code).toBe(0);
    expect(host.calls().filter((call) => /^(systemctl|aws)/.test(call))).toEqual([
      'systemctl enable --now docker',
      'systemctl enable --now amazon-ssm-agent',
      'systemctl daemon-reload',
      'systemctl enable --now launch-admission.service',
      'systemctl enable --now --no-block actions-runner.service',
      'systemctl enable --now graceful-termination.service',
      'aws ssm get-parameter --region eu-west-1 --name /gitlab/dedicated/runner/linux/pink/runner_token --query Parameter.Name --output text',
      'systemctl restart amazon-ssm-agent',
    ]);
    expect(host.calls().some((call) => call.startsWith('tar'))).toBe(false);
    const text = readFileSync(join(host.folder, 'etc/actions-runner/host.env'), 'utf8');
    expect(text).toMatch(/^INSTANCE_ID=i-0123456789abcdef0\nPARAM(?:.*\n)*LAUNCH_HOOK_NAME=$/m);
    const prepare = 'usr/local/lib/actions-runner/prepare-runner.sh';
    expect(statSync(join(host.folder, prepare)).mode & 0o111).toBe(0o111);
    const unit = 'etc/systemd/system/launch-admission.service';
    expect(readFileSync(join(host.folder, unit), 'utf8')).toContain('After=actions-runner.service');
    const dropIn = 'etc/systemd/system/actions-runner.service.d/10-ephemeral.conf';
    expect(existsSync(join(host.folder, dropIn))).toBe(false);
  });

  test('gives root the runner’s programs, in a folder to which jobs can only add', async () => {
    imageWithRunner();
    expect((await boot()).code).toBe(0);
    const home = join(host.folder, 'opt/actions-runner');
    expect(host.calls().filter((call) => /^(chown|usermod|useradd)/.test(call))).toEqual([
      'usermod --groups  runner',
      `chown -R root:root ${home}`,
      `chown -R runner: ${home}/_diag ${home}/_work`,
    ]);
    // Only root can remove or rename root's file in a folder with the sticky bit.
    expect(statSync(home).mode & 0o7777).toBe(0o1777);
    expect(statSync(join(home, 'config.sh')).mode & 0o022).toBe(0);
  });

  test('gives jobs access to Docker only on request', async () => {
    imageWithRunner();
    await boot({ groups: 'docker' });
    expect(host.calls()).toContain('usermod --groups docker runner');
  });

  test('blocks the metadata for the user of the jobs, and prepares the runner as root', async () => {
    imageWithRunner();
    await boot();
    const unit = readFileSync(
      join(host.folder, 'etc/systemd/system/actions-runner.service'),
      'utf8',
    );
    const before = [...unit.matchAll(/^ExecStartPre=(.*)$/gm)].map(([, line = '']) => line);
    const [rules = '', prepare] = before;
    expect(prepare).toBe('+/usr/local/lib/actions-runner/prepare-runner.sh');
    // The command has no leading dash: if a rule cannot be set, the runner does not start.
    const [, script = ''] = /^\+\/bin\/sh -c '(.*)'$/.exec(rules) ?? [];
    const run = (iptables: string) =>
      spawnSync('sh', ['-c', `iptables() { ${iptables}; }; ${script.replaceAll('$$', '$')}`], {
        encoding: 'utf8',
      });
    const rule = (user: string) =>
      `-w -I OUTPUT -d 169.254.169.254 -m owner --uid-owner ${user} -j REJECT\n`;
    // The second rule covers users of a namespace that a job creates, which are numbers of
    // /etc/subuid.
    expect(run('[ "$2" = -I ] && echo "$*"').stdout).toBe(rule('runner') + rule('1000-4294967294'));
    expect(run('[ "$2" = -C ]')).toMatchObject({ stdout: '', status: 0 });
    for (const refused of ['runner', '1000-4294967294'])
      expect(run(`[ "$2" = -I ] && [ "$9" != ${refused} ]`).status).toBe(1);
    expect(unit).toMatch(/^User=runner$/m);
  });

  test('sends the log as a user without access to root’s files', async () => {
    imageWithRunner();
    await boot();
    const agent = readFileSync(
      join(host.folder, 'etc/actions-runner/cloudwatch-agent.json'),
      'utf8',
    );
    expect(JSON.parse(agent)).toMatchObject({ agent: { run_as_user: 'cwagent' } });
  });

  test('restarts an ephemeral runner after its job', async () => {
    imageWithRunner();
    await boot({ ephemeral: 'true' });
    const dropIn = 'etc/systemd/system/actions-runner.service.d/10-ephemeral.conf';
    expect(readFileSync(join(host.folder, dropIn), 'utf8')).toBe('[Service]\nRestart=always\n');
  });

  test('stays below the 16 KB limit of AWS, with space for long names', () => {
    expect(Buffer.byteLength(renderGitHubUserData())).toBeLessThan(14 * 1024);
  });

  test('contains no secret', () =>
    expect(renderGitHubUserData()).not.toMatch(/ghp_|ghs_|AABBCC|private_key/));
});
