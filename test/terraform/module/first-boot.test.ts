import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hostFiles, openHost, type StandInHost } from './stand-in-host.ts';
import { renderUserData } from './user-data.ts';

let host: StandInHost;
beforeEach(async () => {
  host = await openHost();
});
afterEach(() => host.close());

describe('the preparation of the runner', () => {
  const env = () => ({
    RUNNER_FOLDER: host.folder,
    TOKEN_PARAMETER: '/gitlab/dedicated/runner/linux/pink/runner_token',
    TOKEN_PAUSE_SECONDS: '0.01',
    TOKEN_ATTEMPTS: '3',
  });
  beforeEach(() => {
    writeFileSync(
      join(host.folder, 'config.template.toml'),
      'a = 1\n  token = "__RUNNER_TOKEN__"\nb = 2\n',
    );
  });

  test('puts the token and an id of this host into the configuration', async () => {
    host.stub('aws', 'echo glrt-abc_DEF-1.2');
    expect(await host.start(join(hostFiles, 'prepare-runner.sh'), { env: env() }).ended).toEqual({
      code: 0,
      text: '',
    });
    const file = join(host.folder, 'config.toml');
    expect(readFileSync(file, 'utf8')).toBe('a = 1\n  token = "glrt-abc_DEF-1.2"\nb = 2\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(host.folder, '.runner_system_id'), 'utf8')).toBe('r_56789abcdef0');
    expect(host.calls()).toEqual([
      'aws ssm get-parameter --region eu-west-1 --name /gitlab/dedicated/runner/linux/pink/runner_token --with-decryption --query Parameter.Value --output text',
    ]);
  });

  test('keeps the existing id of the host', async () => {
    host.stub('aws', 'echo glrt-x');
    writeFileSync(join(host.folder, '.runner_system_id'), 'r_aaaaaaaaaaaa');
    await host.start(join(hostFiles, 'prepare-runner.sh'), { env: env() }).ended;
    expect(readFileSync(join(host.folder, '.runner_system_id'), 'utf8')).toBe('r_aaaaaaaaaaaa');
  });

  test('starts no runner without a token', async () => {
    host.stub('aws', 'exit 254');
    const ended = await host.start(join(hostFiles, 'prepare-runner.sh'), { env: env() }).ended;
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.text).toContain('no token at /gitlab/dedicated/runner/linux/pink/runner_token');
    expect(host.calls()).toHaveLength(3);
    expect(existsSync(join(host.folder, 'config.toml'))).toBe(false);
  });

  test('waits if only the mark of a removed shard’s token exists', async () => {
    host.stub('aws', "echo '(none: retired)'");
    const ended = await host.start(join(hostFiles, 'prepare-runner.sh'), { env: env() }).ended;
    expect(ended.text).toContain('after 3 attempts');
    expect(existsSync(join(host.folder, 'config.toml'))).toBe(false);
  });

  test('refuses a token that would break out of the text around it', async () => {
    host.stub('aws', `echo 'x"\n[[runners]]'`);
    expect(
      (await host.start(join(hostFiles, 'prepare-runner.sh'), { env: env() }).ended).code,
    ).toBe(1);
    expect(existsSync(join(host.folder, 'config.toml'))).toBe(false);
  });
});

describe('the user data of the reference module', () => {
  test('stays well below the 16 KB limit of AWS', () => {
    expect(Buffer.byteLength(renderUserData())).toBeLessThan(12 * 1024);
  });

  const token = '/gitlab/dedicated/runner/linux/pink/runner_token';
  const roleQuery = `aws ssm get-parameter --region eu-west-1 --name ${token} --query Parameter.Name --output text`;
  const roleAnswers = `echo ${token}`;

  async function boot(programs: Record<string, string> = {}): Promise<number | null> {
    const script = renderUserData();
    expect(script).not.toContain('(no ');
    const all = {
      dnf: 'exit 0',
      systemctl: 'exit 0',
      docker: 'exit 0',
      aws: roleAnswers,
      sleep: 'exit 0',
    };
    for (const [name, body] of Object.entries({ ...all, ...programs })) host.stub(name, body);
    writeFileSync(join(host.folder, 'user-data.sh'), script);
    const booting = host.start(join(host.folder, 'user-data.sh'), {
      shell: '/bin/bash',
      env: { HOST_ROOT: host.folder },
    });
    return (await booting.ended).code;
  }

  test('prepares the host and starts both services, since the image is present', async () => {
    expect(await boot()).toBe(0);
    expect(host.calls()).toEqual([
      'systemctl enable --now docker',
      'systemctl enable --now amazon-ssm-agent',
      'systemctl daemon-reload',
      'docker pull registry.example.com/gitlab-runner:v19.4.0',
      'systemctl enable --now launch-admission.service',
      'systemctl enable --now gitlab-runner.service',
      'systemctl enable --now graceful-termination.service',
      roleQuery,
      'systemctl restart amazon-ssm-agent',
    ]);
    expect(readFileSync(join(host.folder, 'etc/gitlab-runner/host.env'), 'utf8')).toContain(
      'INSTANCE_ID=i-0123456789abcdef0\n',
    );
    expect(readFileSync(join(host.folder, 'etc/gitlab-runner/config.template.toml'), 'utf8')).toBe(
      'concurrent = 4\n',
    );
    expect(
      statSync(join(host.folder, 'usr/local/lib/gitlab-runner/prepare-runner.sh')).mode & 0o111,
    ).toBe(0o111);
  });

  describe('a boot that fails', () => {
    const refused =
      'An error occurred (AccessDeniedException) when calling the GetParameter operation: User is not authorized to perform: ssm:GetParameter';
    const withoutDocker = { systemctl: 'case "$*" in *docker*) exit 1 ;; esac' };

    test.each([
      ['is refused', `echo '${refused}' >&2; exit 254`],
      ['does not exist yet', "echo 'Unable to locate credentials' >&2; exit 253"],
    ])('wakes the agent only once AWS accepts the role, which at first %s', async (_, answer) => {
      const aws = `if [ "$(grep -c '^aws' "$HOST/calls")" -lt 4 ]; then ${answer}; fi\n${roleAnswers}`;
      expect(await boot({ ...withoutDocker, aws })).toBe(1);
      expect(host.calls().slice(1)).toEqual([
        ...Array.from({ length: 3 }, () => [roleQuery, 'sleep 5']).flat(),
        roleQuery,
        'systemctl restart amazon-ssm-agent',
      ]);
    });

    test('counts a missing token as proof that AWS accepts the role', async () => {
      const aws = 'echo "An error occurred (ParameterNotFound) when calling" >&2; exit 254';
      expect(await boot({ ...withoutDocker, aws })).toBe(1);
      expect(host.calls().slice(1)).toEqual([roleQuery, 'systemctl restart amazon-ssm-agent']);
    });

    test('wakes the agent after the last attempt if the host has no client for the query', async () => {
      const programs = { dnf: 'exit 1', aws: 'exit 127' };
      expect(await boot({ ...withoutDocker, ...programs })).toBe(1);
      const calls = host.calls();
      expect(calls.filter((call) => call.startsWith('sleep'))).toEqual(
        Array.from({ length: 60 }, () => 'sleep 5'),
      );
      expect(calls.at(-1)).toBe('systemctl restart amazon-ssm-agent');
    });
  });
});
