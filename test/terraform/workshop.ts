import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcessTable, systemMachine } from '../../src/adapters/system/processes.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { createTerraformInfrastructure } from '../../src/adapters/terraform/terraform-infrastructure.ts';
import type { TerraformInfrastructure } from '../../src/domain/settings.ts';
import type { ShardPair } from '../../src/domain/shard.ts';
import type { Infrastructure, InfrastructureEvent } from '../../src/ports/infrastructure.ts';

/** Root module without a provider: a network, a manager, two alarms. */
export const rootModule = `
terraform {
  backend "local" {}
}

variable "shard" { type = string }
variable "runner_name" { type = string }
variable "revision" { default = "1" }

locals { name = "\${var.shard}-\${var.runner_name}" }

resource "terraform_data" "network" {
  input = { Name = "\${local.name}_network" }
}

resource "terraform_data" "manager" {
  input            = { Name = "\${local.name}_runner-manager", network = terraform_data.network.id }
  triggers_replace = [var.revision]
  provisioner "local-exec" {
    command = "if [ -e fail ]; then rm fail; echo planted >&2; exit 3; fi; while [ -e slow ]; do sleep 0.1; done"
  }
}

resource "terraform_data" "alarm" {
  count = 2
  input = { Name = "\${local.name}_alarm-\${count.index}", watched = terraform_data.manager.id }
}

output "manager" { value = terraform_data.manager.id }
output "secret" {
  value     = "hunter2"
  sensitive = true
}
`;

export const usual: TerraformInfrastructure = {
  driver: 'terraform',
  binary: 'terraform',
  directory: '.',
  backendConfig: ['path={runner_name}-{shard}.tfstate'],
  varFiles: [],
  variables: ['shard={shard}', 'runner_name={runner_name}'],
  lockTimeoutMs: 1000,
  ownNames: [],
  stackTag: 'hosted-runner:stack',
  shardTag: 'hosted-runner:shard',
  passEnvironment: [],
  timeoutMs: 600_000,
};

export interface Workshop {
  readonly folder: string;
  /** Opens another run of the program over the same directory. */
  open(options?: {
    settings?: Partial<TerraformInfrastructure>;
    signal?: () => AbortSignal;
    environment?: Record<string, string>;
  }): Infrastructure;
  write(file: string, text: string): void;
  close(): void;
}

/** Opens a directory with a root module, and drivers over it. */
export function openWorkshop(module = rootModule): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'terraform-'));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write('main.tf', module);
  write('cli.tfrc', '');
  return {
    folder,
    write,
    open: ({ settings = {}, signal, environment = {} } = {}) =>
      createTerraformInfrastructure({
        settings: { ...usual, directory: folder, ...settings },
        shards: ['pink', 'purple'] as unknown as ShardPair,
        parameterPrefix: '/gitlab/dedicated/runner/linux/',
        environment: () => ({
          PATH: process.env['PATH'],
          TF_CLI_CONFIG_FILE: join(folder, 'cli.tfrc'),
          ...environment,
        }),
        clock: createSystemClock(),
        processes: createProcessTable(systemMachine({ hostname: 'here' })),
        redact: (text) => text.replaceAll('hunter2', '[redacted]'),
        signal,
      }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function collect(
  events: AsyncIterable<InfrastructureEvent>,
): Promise<InfrastructureEvent[]> {
  const all: InfrastructureEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
