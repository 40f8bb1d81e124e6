import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stackShard } from '../../contract/runner-host.contract.ts';
import { type Policy, readPolicy, toPolicy } from '../../docs/policy.ts';
import { describeWithTools } from '../../support/tools.ts';
import { describeWithMirror } from '../../terraform/mirror.ts';
import { collect, openWorkshop, type Workshop } from '../../terraform/workshop.ts';
import { type AwsSite, openAwsSite } from './sites/aws-site.ts';
import { describeOverhead, measureGuard } from './sites/overhead.ts';
import { runs } from './sites/runs.ts';
import { everythingAt } from './sites/tagged.ts';

const pink = stackShard('pink', 'linux');

describeWithTools(
  { name: 'deployments with Terraform and AWS', needs: ['terraform', 'moto_server'] },
  (path) => {
    describeWithMirror('the AWS provider', (mirror) => {
      let site: AwsSite;
      let workshop: Workshop;
      beforeAll(async () => {
        site = await openAwsSite(path('moto_server'), mirror);
        workshop = openWorkshop();
      });
      afterAll(async () => {
        workshop?.close();
        await site?.close();
      });

      const environment = () => ({
        PATH: process.env['PATH'] ?? '',
        ...site.world.environment,
        ...site.env,
      });
      const driver = () =>
        workshop.open({
          environment: environment(),
          settings: { ...site.terraform, timeoutMs: 900_000 },
        });

      test('the first and second deployment, a failed one, its recovery and the finalizer work', async () => {
        for (const run of runs) await run.act(site);
        process.stdout.write(
          describeOverhead(await measureGuard(measured(site, path('terraform')))),
        );

        expect(await policyOfHost(site)).toEqual(readPolicy('examples/iam/runner-manager.json'));

        // Only the test itself removes the last active shard.
        const gone = (await collect(driver().destroy(pink))).at(-1);
        expect(gone).toMatchObject({ counts: { added: 0, changed: 0, destroyed: 7 } });
        expect(await driver().exists(pink)).toBe('absent');
        expect(await everythingAt(site.moto)).toEqual([]);
      });

      function measured(site: AwsSite, terraform: string) {
        const { directory, variables } = site.terraform;
        const folder = join(directory, '.terraform/hosted-runner/linux-pink');
        return {
          terraform,
          directory,
          environment: { ...environment(), TF_DATA_DIR: folder },
          words: variables.map(
            (pair) =>
              `-var=${pair.replace('={shard}', '=pink').replace('={runner_name}', '=linux')}`,
          ),
        };
      }
    });
  },
);

/**
 * Returns the policy of the host's role that the module created, with the region and account of the
 * examples.
 */
async function policyOfHost({ moto }: AwsSite): Promise<Policy> {
  const name = 'pink-linux_runner-manager';
  const answer = await moto.iam('GetRolePolicy', { RoleName: name, PolicyName: name });
  const text = /<PolicyDocument>([\s\S]*)<\/PolicyDocument>/.exec(answer)?.[1] ?? answer;
  const document = (text.includes('%22') ? decodeURIComponent(text) : text)
    .replaceAll('&quot;', '"')
    .replaceAll('eu-west-1', 'eu-central-1')
    .replaceAll('123456789012', '111122223333');
  const { Statement, ...rest } = toPolicy(JSON.parse(document));
  return {
    ...rest,
    Statement: Statement.map((one) => ({ ...one, Action: one.Action.toSorted() })),
  };
}
