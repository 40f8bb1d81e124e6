import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DeployError } from '../../../src/errors/deploy-error.ts';
import { stackShard } from '../../contract/runner-host.contract.ts';
import { describeWithTools } from '../../support/tools.ts';
import { collect, openWorkshop, rootModule, type Workshop } from '../../terraform/workshop.ts';

const pink = stackShard('pink', 'linux');
const purple = stackShard('purple', 'linux');

async function failureOf(
  call: Promise<unknown>,
): Promise<Pick<DeployError, 'code' | 'exitCode' | 'fields' | 'message'>> {
  return call.then(
    (value) => {
      throw new Error(`it did not fail: ${JSON.stringify(value)}`);
    },
    (error) => error,
  );
}

describeWithTools(
  { name: 'the Terraform driver with a real Terraform', needs: ['terraform'] },
  () => {
    let workshop: Workshop;
    beforeEach(() => {
      workshop = openWorkshop();
    });
    afterEach(() => workshop.close());

    async function apply(shard = pink, infrastructure = workshop.open()) {
      return collect(infrastructure.apply(shard, await infrastructure.plan(shard)));
    }

    test('shows each resource once it exists, the counts, and no secret', async () => {
      const events = await apply();
      const texts = events.flatMap((event) => (event.kind === 'progress' ? [event.text] : []));
      expect(texts[0]).toBe('terraform: 4 to add, 0 to change, 0 to destroy');
      const reported = texts.slice(1).map((text) => text.replace(/ after \d+s \(\d of 4\)$/, ''));
      expect(reported.sort()).toEqual([
        'terraform_data.alarm[0]: created',
        'terraform_data.alarm[0]: creating',
        'terraform_data.alarm[1]: created',
        'terraform_data.alarm[1]: creating',
        'terraform_data.manager: created',
        'terraform_data.manager: creating',
        'terraform_data.network: created',
        'terraform_data.network: creating',
      ]);
      const done = events.at(-1);
      expect(done).toMatchObject({ kind: 'done', counts: { added: 4, changed: 0, destroyed: 0 } });
      expect(done).toMatchObject({ outputs: { manager: expect.any(String) } });
      expect(JSON.stringify(events)).not.toContain('hunter2');
    });

    test('rebuilds the manager on request', async () => {
      await apply();
      const infrastructure = workshop.open();
      const plan = await infrastructure.plan(pink, { replace: ['terraform_data.manager'] });
      expect(plan).toMatchObject({
        kind: 'changes',
        summary: '1 to add, 2 to change, 1 to destroy',
      });
      const done = (await collect(infrastructure.apply(pink, plan))).at(-1);
      expect(done).toMatchObject({ counts: { added: 1, changed: 2, destroyed: 1 } });
    });

    test('applies a plan once, in the run and for the shard that it was made for', async () => {
      const infrastructure = workshop.open();
      const plan = await infrastructure.plan(pink);
      const of = (call: AsyncIterable<never> | ReturnType<typeof infrastructure.apply>) =>
        failureOf(collect(call));
      const refused = { kind: 'refused', effect: 'none' };
      expect(await of(workshop.open().apply(pink, plan))).toMatchObject(refused);
      expect(await of(infrastructure.apply(purple, plan))).toMatchObject(refused);
    });

    test('leaves no saved plan behind, neither after a plan nor after an apply', async () => {
      const infrastructure = workshop.open();
      const folder = join(workshop.folder, '.terraform/hosted-runner/linux-pink');
      const plan = await infrastructure.plan(pink);
      expect(readdirSync(folder)).toEqual(['terraform.tfstate']);
      await collect(infrastructure.apply(pink, plan));
      expect(readdirSync(folder)).toEqual(['terraform.tfstate']);
    });

    test('refuses a plan that covers more than its shard, with the reason', async () => {
      workshop.write('main.tf', rootModule.replace('_network"', '_network purple-linux"'));
      const { code, exitCode, fields } = await failureOf(workshop.open().plan(pink));
      expect({ code, exitCode, why: fields.why }).toEqual({
        code: 'PlanRefused',
        exitCode: 3,
        why: [
          'terraform_data.network  create  it contains the name purple-linux, which belongs to the other shard',
        ],
      });
    });

    test('keeps the state of a workspace separate', async () => {
      const settings = { backendConfig: [], workspace: '{shard}-{runner_name}' };
      await apply(pink, workshop.open({ settings }));
      expect(await workshop.open({ settings }).exists(pink)).toBe('present');
      expect(readdirSync(join(workshop.folder, 'terraform.tfstate.d'))).toContain('pink-linux');
    });

    test('ignores variables of the environment that would change Terraform', async () => {
      const environment = {
        TF_CLI_ARGS: '-bogus',
        TF_CLI_ARGS_plan: '-destroy',
        TF_WORKSPACE: 'elsewhere',
        TF_DATA_DIR: join(workshop.folder, 'elsewhere'),
        TF_LOG: 'trace',
      };
      await apply(pink, workshop.open({ environment }));
      expect(await workshop.open().exists(pink)).toBe('present');
      expect(existsSync(join(workshop.folder, 'elsewhere'))).toBe(false);
    });

    describe('the error of Terraform', () => {
      async function refusedPlan(module: string, settings = {}): Promise<unknown[]> {
        workshop.write('main.tf', module);
        const error = await failureOf(workshop.open({ settings }).plan(pink));
        return [error.code ?? error.message, error.exitCode];
      }

      test.each([
        ['syntax', `${rootModule}\nresource "x" {`, 'TerraformConfigurationInvalid'],
        [
          'an unknown argument',
          `${rootModule}\nlocals { a = foo.bar }`,
          'TerraformConfigurationInvalid',
        ],
        [
          'a version',
          `${rootModule}\nterraform { required_version = ">= 99" }`,
          'TerraformVersionRefused',
        ],
        [
          'a provider',
          `${rootModule}\nterraform {\n required_providers {\n x = { source = "example.invalid/x/x" }\n }\n}`,
          'TerraformProviderMissing',
        ],
        [
          'a module',
          `${rootModule}\nmodule "x" { source = "./nowhere" }`,
          'TerraformConfigurationInvalid',
        ],
        ['no backend', rootModule.replace('backend "local" {}', ''), 'TerraformStateShared'],
      ])('names the cause: %s', async (_name, module, code) => {
        expect(await refusedPlan(module)).toEqual([code, 2]);
      });

      test('names a missing directory', async () => {
        expect(await refusedPlan('', { directory: '/nowhere/at/all' })).toEqual([
          'TerraformDirectoryMissing',
          2,
        ]);
      });

      test('names a missing binary', async () => {
        const infrastructure = workshop.open({ environment: { PATH: workshop.folder } });
        const { fields } = await failureOf(infrastructure.plan(pink));
        expect(fields.what).toBe('terraform was not found on PATH.');
      });

      test.each(['terraform', 'tofu'] as const)('names a %s that is too old', async (binary) => {
        mkdirSync(join(workshop.folder, 'bin'));
        const file = join(workshop.folder, 'bin', binary);
        writeFileSync(file, '#!/bin/sh\necho \'{"terraform_version": "1.4.7"}\'\n');
        chmodSync(file, 0o755);
        const environment = { PATH: join(workshop.folder, 'bin') };
        const infrastructure = workshop.open({ environment, settings: { binary } });
        const least = binary === 'tofu' ? '1.6.0' : '1.5.0';
        expect((await failureOf(infrastructure.exists(pink))).fields.what).toBe(
          `${binary} 1.4.7 is too old; ${least} is the oldest supported version.`,
        );
      });

      test('names the owner of a held lock and the command that breaks it', async () => {
        workshop.write('slow', '');
        const first = apply();
        await until(() => existsSync(join(workshop.folder, '.linux-pink.tfstate.lock.info')));
        await until(() => readLog(workshop.folder).includes('Apply'));
        const { code, exitCode, fields } = await failureOf(workshop.open().plan(pink));
        expect([code, exitCode]).toEqual(['TerraformStateLocked', 75]);
        expect(fields.what).toMatch(
          /^The Terraform state of pink has been locked by \S+@\S+ since 20\S+ .* \((apply|plan)\)\.$/,
        );
        expect(fields.fix?.[1]).toMatch(/terraform -chdir=\S+ force-unlock [0-9a-f-]{36}$/);
        rmSync(join(workshop.folder, 'slow'));
        await first;
      });
    });

    test('interrupts Terraform once at a cancellation: state written, no lock, and the next run resumes', async () => {
      workshop.write('slow', '');
      const controller = new AbortController();
      const infrastructure = workshop.open({ signal: () => controller.signal });
      const plan = await infrastructure.plan(pink);
      const seen: string[] = [];
      const cancelled = (async () => {
        for await (const event of infrastructure.apply(pink, plan)) {
          if (event.kind !== 'progress') continue;
          seen.push(event.text);
          if (event.text !== 'terraform_data.manager: creating') continue;
          controller.abort(new Error('stop'));
          rmSync(join(workshop.folder, 'slow'));
        }
      })();
      await expect(cancelled).rejects.toThrow('stop');
      expect(seen.at(-1)).toBe('terraform_data.manager: creating');
      expect(await workshop.open().exists(pink)).toBe('present');
      expect((await apply()).at(-1)).toMatchObject({ kind: 'done' });
    });
  },
);

function readLog(folder: string): string {
  try {
    return readFileSync(join(folder, '.linux-pink.tfstate.lock.info'), 'utf8');
  } catch {
    return '';
  }
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20));
}
