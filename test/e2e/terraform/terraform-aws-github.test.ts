import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { describeWithMirror } from '../../terraform/mirror.ts';
import { type AwsSite, openAwsSite } from './sites/aws-site.ts';
import { runs } from './sites/runs.ts';

/** EC2, IAM, tags and logs are the emulator's; GitHub, Parameter Store and Run Command the sandbox's. */
describeWithTools(
  {
    name: 'deployments of GitHub’s runners by Terraform and AWS',
    needs: ['terraform', 'moto_server'],
  },
  (path) => {
    describeWithMirror('by its provider', (mirror) => {
      let site: AwsSite;
      beforeAll(async () => {
        site = await openAwsSite(path('moto_server'), mirror, 'github');
      });
      afterAll(() => site?.close());

      test('the first, and the second that retires it', async () => {
        const [first, second] = runs;
        await first?.act(site);
        expect((await site.stage('status')).text).toContain('pink serves');
        await second?.act(site);
        expect((await site.stage('status')).text).toContain('purple serves');
      });
    });
  },
);
