import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stackShard } from '../contract/runner-host.contract.ts';
import { root } from '../support/program.ts';
import { describeWithTools } from '../support/tools.ts';
import { findMirror, writeMirrorConfiguration } from '../terraform/mirror.ts';
import { type Moto, startMoto } from '../terraform/moto.ts';
import { collect, openWorkshop, type Workshop } from '../terraform/workshop.ts';

const pink = stackShard('pink', 'linux');
const manager = 'module.runner_manager.module.ec2[0].aws_instance.runner_manager';

describeWithTools(
  { name: 'the reference module on an AWS emulator', needs: ['terraform', 'moto_server'] },
  (path) => {
    const mirror = findMirror();
    const withProvider = mirror === undefined ? describe.skip : describe;
    withProvider(
      `by the AWS provider${mirror === undefined ? ' (no plugin mirror found)' : ''}`,
      () => {
        let moto: Moto;
        let workshop: Workshop;
        let folder: string;
        let cli: string;
        let network: string[];
        beforeAll(async () => {
          moto = await startMoto(path('moto_server'));
          await moto.createBucket('states');
          const subnets = await moto.ec2('DescribeSubnets');
          const subnet = /<subnetId>([^<]+)/.exec(subnets)?.[1];
          const vpc = /<vpcId>([^<]+)/.exec(subnets)?.[1];
          network = [`vpc_id=${vpc}`, `subnet_ids=["${subnet}"]`];
          folder = mkdtempSync(join(tmpdir(), 'module-'));
          cpSync(join(root, 'terraform'), folder, { recursive: true });
          cli = writeMirrorConfiguration(mirror ?? folder);
          workshop = openWorkshop();
        }, 60_000);
        afterAll(async () => {
          await moto.close();
          workshop.close();
          rmSync(folder, { recursive: true, force: true });
          rmSync(dirname(cli), { recursive: true, force: true });
        });

        const open = () =>
          workshop.open({
            environment: { ...moto.environment, TF_CLI_CONFIG_FILE: cli },
            settings: {
              directory: folder,
              timeoutMs: 240_000,
              backendConfig: [
                'bucket=states',
                'key={runner_name}/{shard}.tfstate',
                'region=eu-west-1',
                'use_lockfile=true',
                'use_path_style=true',
              ],
              variables: [
                'shard={shard}',
                'runner_name={runner_name}',
                'gitlab_url=https://gitlab.example.com',
                'ami_id=ami-12c6146b',
                'max_retries=2',
                ...network,
              ],
            },
          });

        async function running(): Promise<string[]> {
          const xml = await moto.ec2('DescribeInstances', {
            'Filter.1.Name': 'tag:Name',
            'Filter.1.Value.1': 'pink-linux_runner-manager',
            'Filter.2.Name': 'instance-state-name',
            'Filter.2.Value.1': 'running',
          });
          return [...xml.matchAll(/<instanceId>([^<]+)/g)].map((match) => match[1] ?? '');
        }

        test('is built, found unchanged, its manager replaced, and destroyed without a rest', async () => {
          const first = open();
          const plan = await first.plan(pink);
          expect(plan).toMatchObject({
            kind: 'changes',
            summary: '8 to add, 0 to change, 0 to destroy',
          });
          const built = (await collect(first.apply(pink, plan))).at(-1);
          expect(built).toMatchObject({ counts: { added: 8, changed: 0, destroyed: 0 } });
          expect(await open().exists(pink)).toBe('present');
          const [instance] = await running();
          expect(built).toMatchObject({ outputs: { instance_ids: [instance] } });

          const again = open();
          expect((await again.plan(pink)).kind).toBe('empty');
          const replacing = await again.plan(pink, { replace: [manager] });
          expect(replacing.summary).toBe('1 to add, 0 to change, 1 to destroy');
          await collect(again.apply(pink, replacing));
          const [replaced] = await running();
          expect(replaced).not.toBe(instance);

          const gone = (await collect(open().destroy(pink))).at(-1);
          expect(gone).toMatchObject({ counts: { added: 0, changed: 0, destroyed: 8 } });
          expect(await running()).toEqual([]);
          expect(await open().exists(pink)).toBe('absent');
        }, 280_000);
      },
    );
  },
);
