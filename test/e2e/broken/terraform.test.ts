import { expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { describeWithMirror } from '../../terraform/mirror.ts';
import { openAwsSite, smallModule } from '../by-terraform/aws-site.ts';
import { TerraformPatient, terraformRows } from './terraform-rows.ts';
import { expectUnharmed, tryRow } from './try-rows.ts';

describeWithTools(
  { name: 'what Terraform knows is not what AWS has', needs: ['terraform', 'moto_server'] },
  (path) => {
    describeWithMirror('by its provider', (mirror) => {
      test('one broken world after the other, each from the break to the rest', async () => {
        const site = await openAwsSite(path('moto_server'), mirror, smallModule);
        let patient: TerraformPatient | undefined;
        try {
          expect(await site.stage('deploy')).toMatchObject({ exitCode: 0 });
          patient = new TerraformPatient(site);
          for (const row of terraformRows) await tryRow(patient, row);
          await expectUnharmed(patient, {});
        } finally {
          patient?.customers.close();
          await site.close();
        }
      });
    });
  },
);
