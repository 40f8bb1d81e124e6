import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { stackShard } from '../../contract/runner-host.contract.ts';
import { describeWithTools } from '../../support/tools.ts';
import { type StateServer, s3Backend, startStateServer } from '../../terraform/state-server.ts';
import { collect, openWorkshop, type Workshop } from '../../terraform/workshop.ts';

const pink = stackShard('pink', 'linux');
const names = ['alarm', 'logs', 'manager', 'network'];

/**
 * Root module whose resources are files outside of the state. Each takes 120 ms to create or
 * remove.
 */
const files = `
${s3Backend}
variable "shard" { type = string }
variable "runner_name" { type = string }
${names
  .map(
    (name) => `
resource "terraform_data" "${name}" {
  input = { Name = "\${var.shard}-\${var.runner_name}_${name}", file = "world/${name}" }
  provisioner "local-exec" {
    command = "sleep 0.12; touch \${self.input.file}"
  }
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.12; rm -f \${self.input.file}"
  }
}`,
  )
  .join('\n')}
`;

/** Lists Terraform's processes in the directory, or all processes that they started. */
function processesIn(folder: string, of: 'terraform' | 'all'): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        const isMeant = of === 'all' || program.endsWith('terraform');
        return isMeant && environment.includes(`TF_DATA_DIR=${folder}/`);
      } catch {
        return false;
      }
    });
}

describeWithTools({ name: 'a Terraform run that is killed', needs: ['terraform'] }, () => {
  let workshop: Workshop;
  let server: StateServer;
  beforeEach(async () => {
    workshop = openWorkshop(files);
    mkdirSync(join(workshop.folder, 'world'));
    server = await startStateServer();
  });
  afterEach(async () => {
    workshop.close();
    await server.close();
  });

  const world = () => readdirSync(join(workshop.folder, 'world')).sort();
  const open = () => {
    const { environment, backendConfig } = server;
    return workshop.open({ environment, settings: { backendConfig } });
  };

  async function apply() {
    const infrastructure = open();
    return collect(infrastructure.apply(pink, await infrastructure.plan(pink)));
  }
  const destroy = () => collect(open().destroy(pink));

  /** Runs Terraform and kills it `afterMs` after the start of its first resource. */
  async function strike(run: 'apply' | 'destroy', signal: NodeJS.Signals, afterMs: number) {
    const infrastructure = open();
    const plan = run === 'apply' ? await infrastructure.plan(pink) : undefined;
    const events = plan ? infrastructure.apply(pink, plan) : infrastructure.destroy(pink);
    let timer: NodeJS.Timeout | undefined;
    try {
      for await (const event of events) {
        if (event.kind !== 'progress' || !/ing$/.test(event.text)) continue;
        timer ??= setTimeout(() => {
          for (const pid of processesIn(workshop.folder, 'terraform')) killIfAlive(pid, signal);
        }, afterMs);
      }
      return 'finished';
    } catch {
      return 'failed';
    } finally {
      clearTimeout(timer);
      // Its child processes end a moment later.
      while (processesIn(workshop.folder, 'all').length > 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  const instants = [0, 25, 50, 75, 100, 125, 150, 175, 200, 225];

  describe.each(['SIGKILL', 'SIGTERM'] as const)('an end by %s', (signal) => {
    test('leaves a resumable state at ten instants of an apply and ten of a destroy', async () => {
      const ends: string[] = [];
      for (const afterMs of instants) {
        ends.push(await strike('apply', signal, afterMs));
        await apply();
        expect({ afterMs, world: world(), locks: server.locks() }).toEqual({
          afterMs,
          world: names,
          locks: [],
        });
        ends.push(await strike('destroy', signal, afterMs + 12));
        await destroy();
        expect({ afterMs, world: world(), locks: server.locks() }).toEqual({
          afterMs,
          world: [],
          locks: [],
        });
        expect(await open().exists(pink)).toBe('absent');
      }
      expect(ends).toContain('failed');
    });
  });

  test('breaks a lock whose owner is proven dead, and keeps any other lock', async () => {
    await strike('apply', 'SIGKILL', 50);
    expect(server.locks()).toHaveLength(1);
    await apply();
    expect(server.locks()).toEqual([]);
    await destroy();

    await strike('apply', 'SIGKILL', 50);
    const [[key, lock]] = server.locks() as [[string, string]];
    const later = { ...JSON.parse(lock), ID: 'somebody-else', Created: '2099-01-01T00:00:00Z' };
    server.objects.set(key, JSON.stringify(later));
    await expect(apply()).rejects.toMatchObject({ code: 'TerraformStateLocked', exitCode: 75 });
    expect(server.locks()).toHaveLength(1);
  });
});

/** The process may have ended between the list and the signal. */
function killIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
