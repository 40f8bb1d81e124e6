import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { whatIsWrongAtRest } from '../by-hand/world/at-rest.ts';
import { openWorld, type World } from '../by-hand/world/world.ts';
import { configureTerraform, programOf } from './sites/configuration.ts';
import { runs } from './sites/runs.ts';

/** The sandbox provides the machines. Terraform has one resource for them. */
const rootModule = `
terraform {
  backend "local" {}
}
variable "shard" { type = string }
variable "runner_name" { type = string }
variable "program" { type = string }
variable "revision" { default = "1" }

resource "terraform_data" "network" {
  input = { Name = "\${var.shard}-\${var.runner_name}_network" }
}

resource "terraform_data" "runner_manager" {
  input = {
    Name = "\${var.shard}-\${var.runner_name}_runner-manager"
    order = "--runner \${var.runner_name} --shard \${var.shard}"
    program = var.program
  }
  triggers_replace = [var.revision, terraform_data.network.id]
  provisioner "local-exec" {
    command = "\${self.input.program} sandbox apply \${self.input.order}"
  }
  provisioner "local-exec" {
    when = destroy
    command = "\${self.input.program} sandbox destroy \${self.input.order}"
  }
}
`;

/**
 * Stand-in for OpenTofu, which is not installed here. Only its version output differs from
 * Terraform's.
 */
const openTofu = `#!/bin/sh
echo "$1" >>tofu-commands
case $1 in
version) echo '{"terraform_version":"1.10.6","platform":"linux_amd64","provider_selections":{}}' ;;
*) exec terraform "$@" ;;
esac
`;

describeWithTools({ name: 'deployments with Terraform', needs: ['terraform'] }, () => {
  let world: World;
  let set: string[];
  beforeEach(async () => {
    world = await openWorld();
    const directory = join(world.folder, 'infrastructure');
    mkdirSync(directory);
    writeFileSync(join(directory, 'main.tf'), rootModule);
    writeFileSync(join(directory, 'cli.tfrc'), '');
    writeFileSync(join(directory, 'tofu'), openTofu, { mode: 0o755 });
    configureTerraform(world, [
      'directory: infrastructure',
      'backend_config: ["path={runner_name}-{shard}.tfstate"]',
      `variables: ["shard={shard}", "runner_name={runner_name}", ${JSON.stringify(`program=${programOf(world)}`)}]`,
    ]);
    set = ['infrastructure.lock_timeout=20s'];
  });
  afterEach(() => world.close());

  const env = () => ({
    HOSTED_RUNNER_CONFIG: join(world.folder, 'terraform.yml'),
    TF_CLI_CONFIG_FILE: join(world.folder, 'infrastructure/cli.tfrc'),
    PATH: `${world.environment['PATH']}:${join(world.folder, 'infrastructure')}`,
  });
  const stage = (name: string, more: string[] = [], args: string[] = []) =>
    world.stage(name, { env: env(), set: [...set, ...more], args });

  test('the first deployment, the second with OpenTofu, a failed one and its recovery work', async () => {
    const site = {
      world,
      manager: 'terraform_data.runner_manager',
      stage: (name: string, order: { set?: readonly string[]; args?: readonly string[] } = {}) =>
        stage(name, [...(order.set ?? [])], [...(order.args ?? [])]),
      wrongAtRest: async () => whatIsWrongAtRest(world),
    };
    const usual = set;
    for (const run of runs) {
      const isSecond = run.name === 'the second deployment';
      set = isSecond ? [...usual, 'infrastructure.binary=tofu'] : usual;
      await run.act(site);
    }
    const recorded = readFileSync(join(world.folder, 'infrastructure/tofu-commands'), 'utf8');
    const commands = new Set(recorded.split('\n'));
    expect([...commands].sort().join(' ')).toBe(' apply init plan show state version');
  });
});
