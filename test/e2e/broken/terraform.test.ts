import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sampleOf } from '../../support/sample.ts';
import { describeWithTools } from '../../support/tools.ts';
import { describeWithMirror } from '../../terraform/mirror.ts';
import { type AwsSite, openAwsSite, smallModule } from '../terraform/sites/aws-site.ts';
import { TerraformPatient, terraformRows } from './terraform-rows.ts';
import { expectUnharmed, tryRow } from './try-rows.ts';

describeWithTools(
  { name: 'what Terraform knows is not what AWS has', needs: ['terraform', 'moto_server'] },
  (path) => {
    describeWithMirror('by its provider, one broken stack after the other', (mirror) => {
      let site: AwsSite;
      beforeAll(async () => {
        site = await openAwsSite(path('moto_server'), mirror, smallModule);
        expect(await site.stage('deploy')).toMatchObject({ exitCode: 0 });
      });
      afterAll(() => site?.close());

      const rows = sampleOf(terraformRows, ({ name }) => name);
      test.each(rows)('$name: from the break to the rest', async (row) => {
        const patient = new TerraformPatient(site);
        try {
          await tryRow(patient, row);
          await expectUnharmed(patient, row);
        } finally {
          patient.customers.close();
        }
      });
    });
  },
);
