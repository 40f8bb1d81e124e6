import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hostFiles } from './stand-in-host.ts';

const packed = (bytes: Buffer) => gzipSync(bytes).toString('base64');
/** Reads a file without comments, like the module. */
const read = (name: string) =>
  Buffer.from(readFileSync(join(hostFiles, name), 'utf8').replace(/^ *# .*\n/gm, ''));

/** Renders user data like Terraform's templatefile. */
export function renderUserData(given: Record<string, string> = {}): string {
  const values: Record<string, string> = {
    region: 'eu-west-1',
    log_group: '/gitlab-runner/pink-linux',
    runner_image: 'registry.example.com/gitlab-runner:v19.4.0',
    autoscaling_group_name: '',
    hook_name: '',
    launch_hook_name: '',
    config: packed(Buffer.from('concurrent = 4\n')),
    heartbeat_timeout: '',
    prepare: packed(read('prepare-runner.sh')),
    plugin: packed(read('install-plugin.sh')),
    quit: packed(read('quit-runner.sh')),
    termination: packed(read('graceful-termination.sh')),
    admission: packed(read('launch-admission.sh')),
    runner_unit: packed(read('gitlab-runner.service')),
    termination_unit: packed(read('graceful-termination.service')),
    admission_unit: packed(read('launch-admission.service')),
    ...given,
  };
  return fill('user-data.sh.tftpl', values);
}

/** Renders the user data of a host with GitHub's runner. */
export function renderGitHubUserData(given: Record<string, string> = {}): string {
  const values: Record<string, string> = {
    region: 'eu-west-1',
    shard: 'pink',
    runner_name: 'linux',
    parameter_prefix: '/gitlab/dedicated/runner/linux/',
    github_url: 'https://github.com/acme',
    ephemeral: 'false',
    groups: '',
    archive_url: 'https://github.com/actions/runner/releases/download/v2/runner.tar.gz',
    archive_sha256: '0'.repeat(64),
    autoscaling_group_name: '',
    hook_name: '',
    launch_hook_name: '',
    heartbeat_timeout: '',
    agent: packed(read('actions-runner/cloudwatch-agent.json')),
    prepare: packed(read('actions-runner/prepare-runner.sh')),
    host_state: packed(read('actions-runner/host-state.sh')),
    termination: packed(read('graceful-termination.sh')),
    admission: packed(read('launch-admission.sh')),
    runner_unit: packed(read('actions-runner/actions-runner.service')),
    termination_unit: packed(read('actions-runner/graceful-termination.service')),
    admission_unit: packed(read('actions-runner/launch-admission.service')),
    ...given,
  };
  return fill('actions-runner/user-data.sh.tftpl', values);
}

function fill(name: string, values: Record<string, string>): string {
  const all: Record<string, string> = {
    ...values,
    token_parameter: '/gitlab/dedicated/runner/linux/pink/runner_token',
  };
  const text = (file: string): string =>
    readFileSync(join(hostFiles, file), 'utf8')
      .replace(/(?<!\$)\$\{(\w+)\}/g, (_, key: string) =>
        key === 'wake_agent' ? text('wake-agent.sh.tftpl') : (all[key] ?? `(no ${key})`),
      )
      .replaceAll('$${', '${');
  return text(name);
}
