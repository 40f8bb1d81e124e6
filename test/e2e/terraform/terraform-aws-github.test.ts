import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { describeWithMirror } from '../../terraform/mirror.ts';
import { type AwsSite, openAwsSite } from './sites/aws-site.ts';
import { runs } from './sites/runs.ts';

/**
 * The emulator provides EC2, IAM, tags and logs. The sandbox provides GitHub, Parameter Store and
 * Run Command.
 */
describeWithTools(
  {
    name: 'deployments of GitHub’s runners with Terraform and AWS',
    needs: ['terraform', 'moto_server'],
  },
  (path) => {
    describeWithMirror('the AWS provider', (mirror) => {
      let site: AwsSite;
      beforeAll(async () => {
        site = await openAwsSite(path('moto_server'), mirror, 'github');
      });
      afterAll(() => site?.close());

      test('the first deployment and the second one with its retirement work', async () => {
        const [first, second] = runs;
        await first?.act(site);
        expect((await site.stage('status')).text).toContain('pink accepts jobs');
        await second?.act(site);
        expect((await site.stage('status')).text).toContain('purple accepts jobs');
      });
    });
  },
);
