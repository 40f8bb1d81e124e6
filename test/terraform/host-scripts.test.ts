import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { root } from '../support/program.ts';
import { type InstanceMetadata, startInstanceMetadata } from './instance-metadata.ts';

const files = join(root, 'terraform/modules/runner-manager/files');

let folder: string;
let imds: InstanceMetadata;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'host-'));
  mkdirSync(join(folder, 'bin'));
  imds = await startInstanceMetadata();
});
afterEach(async () => {
  await imds.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A program of the host; it notes each call in `calls`. */
function stub(name: string, body: string): void {
  const file = join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\necho "${name} $*" >>"$HOST/calls"\n${body}\n`);
  chmodSync(file, 0o755);
}

const calls = () =>
  existsSync(join(folder, 'calls'))
    ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
    : [];

function start(script: string, env: Record<string, string> = {}) {
  const child = spawn('/bin/sh', [join(files, script)], {
    env: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      HOST: folder,
      IMDS_URL: imds.url,
      AWS_REGION: 'eu-west-1',
      INSTANCE_ID: 'i-0123456789abcdef0',
      POLL_SECONDS: '0.05',
      ...env,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const ended = new Promise<{ code: number | null; text: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, text }));
  });
  return { ended, kill: () => child.kill('SIGKILL'), text: () => text };
}

async function until(look: () => boolean): Promise<void> {
  while (!look()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('graceful termination', () => {
  const hook = { HOOK_NAME: 'drain', AUTOSCALING_GROUP_NAME: 'runners' };
  /** A runner with a job: it runs until the file `job` is gone, once it has been told to quit. */
  function runnerWithJob(): void {
    writeFileSync(join(folder, 'job'), '');
    stub(
      'docker',
      `case $1 in
inspect)
  if [ -e "$HOST/deaf" ]; then echo 'Cannot connect to the Docker daemon' >&2; exit 1; fi
  if [ -e "$HOST/quit" ] && ! [ -e "$HOST/job" ]; then echo 'Error: No such object: x' >&2; exit 1; fi
  echo true ;;
kill) touch "$HOST/quit" ;;
esac`,
    );
    stub('aws', 'if [ -e "$HOST/refuse" ]; then exit 254; fi');
  }
  const finishJob = () => rmSync(join(folder, 'job'));
  const completed = () => calls().some((call) => call.includes('complete-lifecycle-action'));

  test('does nothing while nobody terminates the host', async () => {
    runnerWithJob();
    imds.values.set('autoscaling/target-lifecycle-state', 'InService');
    const service = start('graceful-termination.sh', hook);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(calls()).toEqual([]);
    service.kill();
  });

  test('closes the intake at once, waits for the job, and completes the hook when it is gone', async () => {
    runnerWithJob();
    imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const service = start('graceful-termination.sh', hook);
    await until(() => calls().filter((call) => call.startsWith('docker kill')).length > 2);
    expect(calls().slice(0, 3)).toEqual([
      'docker inspect -f {{.State.Running}} gitlab-runner',
      'docker update --restart=no gitlab-runner',
      'docker kill --signal=QUIT gitlab-runner',
    ]);
    expect(completed()).toBe(false);
    finishJob();
    expect(await service.ended).toEqual({
      code: 0,
      text: [
        'this host is about to go: its Auto Scaling group terminates it',
        'the intake is closed; waiting for the jobs that run',
        'the runner has ended',
        'done',
      ]
        .map((line) => `graceful-termination: ${line}\n`)
        .join(''),
    });
    expect(calls().at(-1)).toBe(
      'aws autoscaling complete-lifecycle-action --lifecycle-action-result CONTINUE --region eu-west-1 --lifecycle-hook-name drain --auto-scaling-group-name runners --instance-id i-0123456789abcdef0',
    );
  });

  test('renews the heartbeat as long as the job lasts', async () => {
    runnerWithJob();
    imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const service = start('graceful-termination.sh', { ...hook, HEARTBEAT_SECONDS: '1' });
    const beats = () =>
      calls().filter((call) => call.includes('record-lifecycle-action-heartbeat'));
    await until(() => beats().length >= 2);
    finishJob();
    expect((await service.ended).code).toBe(0);
  });

  test('does not wait for a runner that is dead', async () => {
    runnerWithJob();
    finishJob();
    writeFileSync(join(folder, 'quit'), '');
    imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    expect((await start('graceful-termination.sh', hook).ended).code).toBe(0);
    expect(calls().filter((call) => call.startsWith('docker kill'))).toEqual([]);
    expect(completed()).toBe(true);
  });

  test('takes no silence of Docker for an end', async () => {
    runnerWithJob();
    writeFileSync(join(folder, 'deaf'), '');
    finishJob();
    imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const service = start('graceful-termination.sh', hook);
    await until(() => calls().length > 8);
    expect(completed()).toBe(false);
    rmSync(join(folder, 'deaf'));
    expect((await service.ended).code).toBe(0);
  });

  test('tries again when completing the hook is refused', async () => {
    runnerWithJob();
    finishJob();
    writeFileSync(join(folder, 'refuse'), '');
    imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const service = start('graceful-termination.sh', hook);
    await until(() => service.text().includes('completing the hook was refused; tried again'));
    rmSync(join(folder, 'refuse'));
    expect((await service.ended).code).toBe(0);
  });

  test('drains before a spot instance is taken back, without any hook', async () => {
    runnerWithJob();
    finishJob();
    imds.values.set('spot/instance-action', '{"action":"terminate"}');
    const ended = await start('graceful-termination.sh').ended;
    expect(ended.code).toBe(0);
    expect(ended.text).toContain('AWS takes the spot instance back');
    expect(calls().filter((call) => call.startsWith('aws'))).toEqual([]);
  });
});

describe('the preparation of the runner', () => {
  const env = () => ({
    RUNNER_FOLDER: folder,
    TOKEN_PARAMETER: '/gitlab/dedicated/runner/linux/pink/runner_token',
    TOKEN_PAUSE_SECONDS: '0.01',
    TOKEN_ATTEMPTS: '3',
  });
  beforeEach(() => {
    writeFileSync(
      join(folder, 'config.template.toml'),
      'a = 1\n  token = "__RUNNER_TOKEN__"\nb = 2\n',
    );
  });

  test('puts the token into the configuration and an id of this host beside it', async () => {
    stub('aws', 'echo glrt-abc_DEF-1.2');
    expect(await start('prepare-runner.sh', env()).ended).toEqual({ code: 0, text: '' });
    const file = join(folder, 'config.toml');
    expect(readFileSync(file, 'utf8')).toBe('a = 1\n  token = "glrt-abc_DEF-1.2"\nb = 2\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, '.runner_system_id'), 'utf8')).toBe('r_56789abcdef0');
    expect(calls()).toEqual([
      'aws ssm get-parameter --region eu-west-1 --name /gitlab/dedicated/runner/linux/pink/runner_token --with-decryption --query Parameter.Value --output text',
    ]);
  });

  test('keeps the id that the host has', async () => {
    stub('aws', 'echo glrt-x');
    writeFileSync(join(folder, '.runner_system_id'), 'r_aaaaaaaaaaaa');
    await start('prepare-runner.sh', env()).ended;
    expect(readFileSync(join(folder, '.runner_system_id'), 'utf8')).toBe('r_aaaaaaaaaaaa');
  });

  test('starts no runner without a token', async () => {
    stub('aws', 'exit 254');
    const ended = await start('prepare-runner.sh', env()).ended;
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.text).toContain('no token at /gitlab/dedicated/runner/linux/pink/runner_token');
    expect(calls()).toHaveLength(3);
    expect(existsSync(join(folder, 'config.toml'))).toBe(false);
  });

  test('takes nothing for a token that would end the text around it', async () => {
    stub('aws', `echo 'x"\n[[runners]]'`);
    expect((await start('prepare-runner.sh', env()).ended).code).toBe(1);
    expect(existsSync(join(folder, 'config.toml'))).toBe(false);
  });
});

describe('user data', () => {
  /** As Terraform's templatefile fills it in. */
  function render(values: Record<string, string>): string {
    return readFileSync(join(files, 'user-data.sh.tftpl'), 'utf8')
      .replace(/(?<!\$)\$\{(\w+)\}/g, (_, name: string) => values[name] ?? `(no ${name})`)
      .replaceAll('$${', '${');
  }

  test('lays out the host and starts both services, the image being there already', async () => {
    const encoded = (name: string) => readFileSync(join(files, name)).toString('base64');
    const script = render({
      region: 'eu-west-1',
      token_parameter: '/gitlab/dedicated/runner/linux/pink/runner_token',
      log_group: '/gitlab-runner/pink-linux',
      runner_image: 'registry.example.com/gitlab-runner:v19.4.0',
      autoscaling_group_name: '',
      hook_name: '',
      config: Buffer.from('concurrent = 4\n').toString('base64'),
      prepare: encoded('prepare-runner.sh'),
      termination: encoded('graceful-termination.sh'),
      runner_unit: encoded('gitlab-runner.service'),
      termination_unit: encoded('graceful-termination.service'),
    });
    expect(script).not.toContain('(no ');
    for (const name of ['dnf', 'systemctl', 'docker', 'aws']) stub(name, 'exit 0');
    writeFileSync(join(folder, 'user-data.sh'), script);
    const child = spawn('bash', [join(folder, 'user-data.sh')], {
      env: {
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        HOST: folder,
        HOST_ROOT: folder,
        IMDS_URL: imds.url,
      },
      stdio: 'ignore',
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(calls()).toEqual([
      'systemctl enable --now docker',
      'systemctl enable --now amazon-ssm-agent',
      'systemctl daemon-reload',
      'docker pull registry.example.com/gitlab-runner:v19.4.0',
      'systemctl enable --now gitlab-runner.service',
      'systemctl enable --now graceful-termination.service',
    ]);
    expect(readFileSync(join(folder, 'etc/gitlab-runner/host.env'), 'utf8')).toContain(
      'INSTANCE_ID=i-0123456789abcdef0\n',
    );
    expect(readFileSync(join(folder, 'etc/gitlab-runner/config.template.toml'), 'utf8')).toBe(
      'concurrent = 4\n',
    );
    expect(
      statSync(join(folder, 'usr/local/lib/gitlab-runner/prepare-runner.sh')).mode & 0o111,
    ).toBe(0o111);
  });
});
