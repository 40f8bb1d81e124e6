import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootModule } from '../../../../src/cli/starting/root-module.ts';
import { writeMirrorConfiguration } from '../../../terraform/mirror.ts';
import { type Moto, startMoto } from '../../../terraform/moto.ts';
import { whatIsWrongAtRest } from '../../by-hand/world/at-rest.ts';
import type { Running } from '../../by-hand/world/running.ts';
import { openWorld } from '../../by-hand/world/world.ts';
import { type AwsFront, startAwsFront } from './aws-front.ts';
import { configureTerraform } from './configuration.ts';
import type { Order, Site } from './runs.ts';
import { builtAt } from './tagged.ts';

const bucket = 'states';

export interface AwsSite extends Site {
  readonly moto: Moto;
  readonly front: AwsFront;
  /** Starts a stage without waiting for it. */
  start(name: string): Running;
  /** Terraform's folder and arguments, for use outside of the program. */
  readonly terraform: {
    readonly directory: string;
    readonly backendConfig: string[];
    readonly variables: string[];
  };
  readonly env: Readonly<Record<string, string>>;
  readonly set: readonly string[];
  close(): Promise<void>;
}

/** Resources of a shard in the reference module. */
const complete = ['instance', 'security group', 'log group', 'role', 'instance profile'];

/** Writes the root module of `init --terraform` into an existing folder. */
function writeRootModule(folder: string): void {
  for (const [path, text] of Object.entries(rootModule)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/**
 * Opens a site: a root module with AWS's own provider, an emulator below it, and the sandbox for
 * the rest.
 */
export async function openAwsSite(
  program: string,
  mirror: string,
  runners: 'gitlab' | 'github' = 'gitlab',
): Promise<AwsSite> {
  const moto = await startMoto(program);
  await moto.createBucket(bucket);
  const world = await openWorld({ runners });
  const front = await startAwsFront(world.sandbox, moto.url);
  const folder = join(world.folder, 'infrastructure');
  mkdirSync(folder);
  writeRootModule(folder);
  const cli = writeMirrorConfiguration(mirror);
  const subnets = await moto.ec2('DescribeSubnets');
  const subnet = /<subnetId>([^<]+)/.exec(subnets)?.[1];
  const vpc = /<vpcId>([^<]+)/.exec(subnets)?.[1];
  const backendConfig = [
    `bucket=${bucket}`,
    'key={runner_name}/{shard}.tfstate',
    'region=eu-west-1',
    'use_lockfile=true',
    'use_path_style=true',
  ];
  const variables = [
    'shard={shard}',
    'runner_name={runner_name}',
    runners === 'github'
      ? 'github={"url":"https://github.com/acme"}'
      : 'gitlab_url=https://gitlab.example.com',
    'ami_id=ami-12c6146b',
    'max_retries=2',
    `vpc_id=${vpc}`,
    `subnet_ids=["${subnet}"]`,
  ];
  configureTerraform(world, [
    'directory: infrastructure',
    `backend_config: ${JSON.stringify(backendConfig)}`,
    `variables: ${JSON.stringify(variables)}`,
    'pass_environment: [GOGC]',
  ]);
  const aws = ['', '_SSM', '_STS', '_EC2', '_AUTO_SCALING', '_RESOURCE_GROUPS_TAGGING_API', '_IAM'];
  const env = {
    HOSTED_RUNNER_CONFIG: join(world.folder, 'terraform.yml'),
    TF_CLI_CONFIG_FILE: cli,
    AWS_EC2_METADATA_DISABLED: 'true',
    // Each command reads the provider's schema, which fills Go's small heap repeatedly.
    GOGC: '400',
    // All permissions that the host's role can have, except the workers'.
    TF_VAR_lifecycle_hook: '{"autoscaling_group_name":"runners","hook_name":"drain"}',
    TF_VAR_kms_key_arn: `arn:aws:kms:eu-west-1:123456789012:key/${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`,
    ...Object.fromEntries(aws.map((service) => [`AWS_ENDPOINT_URL${service}`, front.url])),
  };
  const set = ['infrastructure.lock_timeout=20s'];
  return {
    moto,
    front,
    start: (name) => world.start({ args: [name, '--runner', 'linux'], env, set }),
    terraform: { directory: folder, backendConfig, variables },
    world,
    env,
    set,
    manager: 'module.runner_manager.module.ec2[0].aws_instance.runner_manager',
    stage: (name, { args = [], set: more = [] }: Order = {}) =>
      world.stage(name, { env, set: [...set, ...more], args }),
    async wrongAtRest() {
      const { shards, strays } = await builtAt(moto, complete);
      if (runners === 'gitlab') return [...strays, ...whatIsWrongAtRest(world, shards)];
      return shards.length === 1 ? strays : [...strays, `built: ${shards.join(' and ') || 'none'}`];
    },
    async close() {
      await world.close();
      await front.close();
      await moto.close();
      rmSync(dirname(cli), { recursive: true, force: true });
    },
  };
}
