import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { missingShells, shells } from '../../aws/scripts/shells.ts';
import { hostFiles, openHost, type StandInHost, until } from './stand-in-host.ts';

let host: StandInHost;
beforeEach(async () => {
  host = await openHost();
});
afterEach(() => host.close());

/** Messages of each engine about a missing container: Docker 28, Docker 29, Podman 4 and 5. */
const absences = [
  'Error: No such object: gitlab-runner',
  'error: no such object: gitlab-runner',
  'Error: no such object: "gitlab-runner"',
  'Error response from daemon: No such container: gitlab-runner',
  'Error: no container with name or ID "gitlab-runner" found: no such container',
];

describe.each(shells)('the services of a host, in %s', (_, [shell = '', ...words]) => {
  /** A shell that is an argument of another program is called through a script. */
  const start = (name: string, env: Record<string, string> = {}) => {
    const call = [...words, join(hostFiles, name)].map((word) => `'${word}'`).join(' ');
    const wrapped = join(host.folder, 'call.sh');
    writeFileSync(wrapped, `exec '${shell}' ${call}\n`);
    return host.start(wrapped, { env });
  };
  const runner = () => join(host.folder, 'gitlab-runner');
  beforeEach(() => mkdirSync(runner()));

  test('write the configuration with the token from Parameter Store', async () => {
    host.stub('aws', 'echo glrt-abc_123.x');
    const template = 'concurrent = 1\n[[runners]]\n  token = "__RUNNER_TOKEN__"';
    writeFileSync(join(runner(), 'config.template.toml'), template);
    const env = { RUNNER_FOLDER: runner(), TOKEN_PARAMETER: '/x/pink/runner_token' };
    expect(await start('prepare-runner.sh', env).ended).toEqual({ code: 0, text: '' });
    expect(readFileSync(join(runner(), 'config.toml'), 'utf8')).toBe(
      'concurrent = 1\n[[runners]]\n  token = "glrt-abc_123.x"\n',
    );
    expect(readFileSync(join(runner(), '.runner_system_id'), 'utf8')).toBe('r_56789abcdef0');
    expect(host.calls().join('\n')).not.toContain('glrt-abc');
  });

  test('install the plugin if the configuration has an autoscaler', async () => {
    host.stub('docker', '');
    const env = { RUNNER_FOLDER: runner(), RUNNER_IMAGE: 'gitlab/gitlab-runner:x' };
    writeFileSync(join(runner(), 'config.toml'), '[[runners]]\n  [runners.docker]\n');
    expect((await start('install-plugin.sh', env).ended).code).toBe(0);
    expect(host.calls()).toEqual([]);
    writeFileSync(join(runner(), 'config.toml'), '[[runners]]\n  [runners.autoscaler]\n');
    expect((await start('install-plugin.sh', env).ended).code).toBe(0);
    expect(host.calls()).toEqual([
      expect.stringMatching(/ gitlab\/gitlab-runner:x fleeting install$/),
    ]);
  });

  test.each(absences)('complete the hook once the container engine reports %j', async (absence) => {
    writeFileSync(join(host.folder, 'job'), '');
    host.stub(
      'docker',
      `if [ "$1" = inspect ] && ! [ -e "$HOST/job" ]; then echo '${absence}' >&2; exit 1; fi
if [ "$1" = inspect ]; then echo true; fi`,
    );
    host.stub('aws', '');
    host.stub('quit-runner', '');
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const hook = { HOOK_NAME: 'drain', AUTOSCALING_GROUP_NAME: 'runners' };
    const service = start('graceful-termination.sh', hook);
    await until(() => host.calls().includes('quit-runner gitlab-runner'));
    rmSync(join(host.folder, 'job'));
    expect((await service.ended).code).toBe(0);
    expect(host.calls().at(-1)).toMatch(/^aws autoscaling complete-lifecycle-action .*CONTINUE/);
  });

  test('wait while the container engine reports nothing about the container', async () => {
    host.stub(
      'docker',
      `if [ "$1" = inspect ] && [ -e "$HOST/back" ]; then echo false; exit 0; fi
echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?' >&2
exit 1`,
    );
    host.stub('aws', '');
    host.stub('quit-runner', 'exit 1');
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const hook = { HOOK_NAME: 'drain', AUTOSCALING_GROUP_NAME: 'runners' };
    const service = start('graceful-termination.sh', hook);
    const countChecks = () =>
      host.calls().filter((call) => call.startsWith('docker inspect')).length;
    await until(() => countChecks() > 4);
    expect(host.calls().some((call) => call.includes('complete-lifecycle-action'))).toBe(false);
    writeFileSync(join(host.folder, 'back'), '');
    expect((await service.ended).code).toBe(0);
  });

  test.each([
    ['admit a host whose runner got a response from GitLab', '204', '', 'CONTINUE'],
    ['abandon a host whose unit has failed permanently', '403', 'failed', 'ABANDON'],
  ])('work in this shell: they %s', async (_name, status, state, result) => {
    host.stub(
      'curl',
      `case "$*" in
*health/ready*) printf 200 ;;
*metrics*) echo 'gitlab_runner_api_request_statuses_total{endpoint="request_job",status="${status}"} 3' ;;
*api/token*) echo session ;;
*target-lifecycle-state*) echo InService ;;
esac`,
    );
    host.stub('aws', '');
    host.stub('systemctl', state === 'failed' ? 'exit 0' : 'exit 1');
    const hook = { LAUNCH_HOOK_NAME: 'launch', AUTOSCALING_GROUP_NAME: 'runners' };
    await start('launch-admission.sh', hook).ended;
    const answers = host.calls().filter((call) => call.includes('complete-lifecycle-action'));
    expect(answers).toEqual([expect.stringContaining(`--lifecycle-action-result ${result}`)]);
  });
});

for (const [name, [path]] of missingShells) {
  // biome-ignore lint/suspicious/noSkippedTests: the shell is missing, as the name shows
  test.skip(`shell ${name} (not found: ${path})`, () => undefined);
}
