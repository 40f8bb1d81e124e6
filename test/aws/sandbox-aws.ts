import type { AwsClientOptions } from '../../src/adapters/aws/aws-client.ts';
import { createRunnerHost } from '../../src/adapters/aws/hosts/aws-runner-host.ts';
import type { CheckDocument } from '../../src/adapters/aws/hosts/run-command.ts';
import { createSsm, type Ssm } from '../../src/adapters/aws/services.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { createSystemRandom } from '../../src/adapters/system/system-random.ts';
import type { HostSettings } from '../../src/domain/settings.ts';
import type { StackShard } from '../../src/domain/shard.ts';
import type { RunnerHost } from '../../src/ports/runner-host.ts';
import { type openSandbox, registerRunner, until } from '../sandbox/hosts/running-sandbox.ts';

export type OpenSandbox = Awaited<ReturnType<typeof openSandbox>>;

export function connect(url: string, options: Partial<AwsClientOptions> = {}): Ssm {
  return createSsm({
    environment: process.env,
    clock: createSystemClock(),
    random: createSystemRandom(),
    redact: (text) => text,
    configuration: {
      endpoint: url,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'AKIASANDBOX', secretAccessKey: 'made-up' },
    },
    ...options,
  });
}

export const dockerHost: HostSettings = {
  access: 'run_command',
  process: { kind: 'docker', container: 'gitlab-runner' },
  listenPort: 9252,
};

export const systemdHost: HostSettings = {
  ...dockerHost,
  process: { kind: 'systemd', unit: 'gitlab-runner' },
};

export const githubHost: HostSettings = {
  ...dockerHost,
  process: { kind: 'actions_runner', unit: 'actions-runner' },
};

export function connectHost(
  ssm: Ssm,
  settings: HostSettings = dockerHost,
  document?: CheckDocument,
): RunnerHost {
  return createRunnerHost({
    ssm,
    settings,
    document,
    clock: createSystemClock(),
    random: createSystemRandom(),
    redact: (text) => text,
  });
}

/** Boots a machine of the sandbox whose runner manager responds. */
export async function bootHost(opened: OpenSandbox, place: StackShard): Promise<string> {
  const { sandbox } = opened;
  await registerRunner(opened, { ...place, tags: [`${place.shard}-${place.runnerName}`] });
  const [id = ''] = (await sandbox.stacks.apply(place)).instanceIds;
  await until(() => sandbox.fleet.machine(id)?.unit?.port);
  return id;
}
