import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostFiles } from './stand-in-host.ts';

const encoded = (name: string) => readFileSync(join(hostFiles, name)).toString('base64');

/** User data as Terraform's templatefile fills it in. */
export function renderUserData(given: Record<string, string> = {}): string {
  const values: Record<string, string> = {
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
    ...given,
  };
  return fill('user-data.sh.tftpl', values);
}

/** The same for a host of GitHub's runner. */
export function renderGitHubUserData(given: Record<string, string> = {}): string {
  const values: Record<string, string> = {
    region: 'eu-west-1',
    shard: 'pink',
    runner_name: 'linux',
    parameter_prefix: '/gitlab/dedicated/runner/linux/',
    github_url: 'https://github.com/acme',
    runner_group: 'Default',
    ephemeral: 'false',
    archive_url: 'https://github.com/actions/runner/releases/download/v2/runner.tar.gz',
    archive_sha256: '0'.repeat(64),
    autoscaling_group_name: '',
    hook_name: '',
    agent: encoded('actions-runner/cloudwatch-agent.json'),
    prepare: encoded('actions-runner/prepare-runner.sh'),
    host_state: encoded('actions-runner/host-state.sh'),
    termination: encoded('graceful-termination.sh'),
    runner_unit: encoded('actions-runner/actions-runner.service'),
    termination_unit: encoded('actions-runner/graceful-termination.service'),
    ...given,
  };
  return fill('actions-runner/user-data.sh.tftpl', values);
}

function fill(name: string, values: Record<string, string>): string {
  return readFileSync(join(hostFiles, name), 'utf8')
    .replace(/(?<!\$)\$\{(\w+)\}/g, (_, name: string) => values[name] ?? `(no ${name})`)
    .replaceAll('$${', '${');
}
