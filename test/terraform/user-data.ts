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
  return readFileSync(join(hostFiles, 'user-data.sh.tftpl'), 'utf8')
    .replace(/(?<!\$)\$\{(\w+)\}/g, (_, name: string) => values[name] ?? `(no ${name})`)
    .replaceAll('$${', '${');
}
