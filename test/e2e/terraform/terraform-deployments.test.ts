import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { readParameters, whatIsWrongAtRest } from '../by-hand/world/at-rest.ts';
import { openWorld, type World } from '../by-hand/world/world.ts';
import { configureTerraform, programOf } from './sites/configuration.ts';
import { runs } from './sites/runs.ts';

/** The machines are the sandbox's; what Terraform knows of them is one resource. */
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
    command = "\${self.input.program} sandbox apply \${self.input.order}; while [ -e held ]; do sleep 0.1; done"
  }
  provisioner "local-exec" {
    when = destroy
    command = "\${self.input.program} sandbox destroy \${self.input.order}; while [ -e held ]; do sleep 0.1; done"
  }
}
`;

/** Its words are Terraform's but for its version's; the real one is not at hand. */
const openTofu = `#!/bin/sh
echo "$1" >>tofu-commands
case $1 in
version) echo '{"terraform_version":"1.10.6","platform":"linux_amd64","provider_selections":{}}' ;;
*) exec terraform "$@" ;;
esac
`;

describeWithTools({ name: 'deployments by Terraform', needs: ['terraform'] }, () => {
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
  const record = () => JSON.parse(readParameters(world.sandbox)['deployment_record'] ?? '{}');

  test('the first, the second by a stand-in of OpenTofu, one that fails, its recovery, and the finalizer', async () => {
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
    const commands = new Set(read(join(world.folder, 'infrastructure/tofu-commands')).split('\n'));
    expect([...commands].sort().join(' ')).toBe(' apply init plan show state version');
  });

  test.each([
    ['SIGKILL', 0],
    ['SIGKILL', 250],
    ['SIGTERM', 120],
  ] as const)(
    '%s of Terraform %i ms into its apply, then its destroy: again, and the goal is reached',
    async (signal, afterMs) => {
      const held = join(world.folder, 'infrastructure/held');
      const inFull: string[] = [];
      for (const verb of ['provision', 'finalize']) {
        if (verb === 'provision') {
          expect(await stage('deploy')).toMatchObject({ exitCode: 0 });
          expect(await stage('prepare')).toMatchObject({ exitCode: 0 });
        }
        // Whatever is begun lasts until it is struck.
        writeFileSync(held, '');
        const running = world.start({ args: [verb, '--runner', 'linux'], env: env(), set });
        const struck = await strike(running.pid, signal, afterMs, running.ended);
        rmSync(held);
        const end = await running.ended;
        if (!struck) inFull.push(verb);
        else expect([0, 1]).toContain(end.exitCode);
        // What was begun outside ends in a moment; until then the sandbox refuses a second one.
        let last = end;
        for (let attempt = 0; attempt < 20 && last.exitCode !== 0; attempt += 1) {
          last = await stage(verb);
        }
        expect({ text: last.text, exitCode: last.exitCode }).toEqual({
          text: last.text,
          exitCode: 0,
        });
      }
      expect(inFull).toEqual([]);
      expect(record().deployment.phase).toBe('done');
      expect(whatIsWrongAtRest(world)).toEqual([]);
    },
  );

  test('a cancel of the program waits for Terraform to write its state, and the stage goes on later', async () => {
    const running = world.start({ args: ['deploy', '--runner', 'linux'], env: env(), set });
    const pid = await findApply(running.pid, () => false);
    running.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ exitCode: 130, code: 'Cancelled' });
    expect(read(`/proc/${pid}/cmdline`)).toBe('');
    const again = await stage('deploy');
    expect({ text: again.text, exitCode: again.exitCode }).toMatchObject({ exitCode: 0 });
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });
});

/** The Terraform below the program that applies, once there is one. */
async function findApply(parent: number, isOver: () => boolean): Promise<number | undefined> {
  for (; !isOver(); await new Promise((resolve) => setTimeout(resolve, 10))) {
    const pid = childrenOf(parent).find((child) =>
      read(`/proc/${child}/cmdline`).includes('\0apply\0'),
    );
    if (pid !== undefined) return pid;
  }
  return undefined;
}

/** Kills Terraform below the program once it applies; false where it ended before. */
async function strike(
  parent: number,
  signal: NodeJS.Signals,
  afterMs: number,
  ended: Promise<unknown>,
): Promise<boolean> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const pid = await findApply(parent, () => over);
  if (pid === undefined) return false;
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const stat = read(`/proc/${pid}/stat`);
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(parent);
    });
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
