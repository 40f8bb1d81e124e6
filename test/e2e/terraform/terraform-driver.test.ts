import { infrastructureContract } from '../../contract/infrastructure.contract.ts';
import { describeWithTools } from '../../support/tools.ts';
import { openWorkshop } from '../../terraform/workshop.ts';

describeWithTools({ name: 'the Terraform driver', needs: ['terraform'] }, () => {
  infrastructureContract('Terraform with terraform_data', () => {
    const workshop = openWorkshop();
    return {
      infrastructure: workshop.open(),
      failNext: () => workshop.write('fail', ''),
      close: workshop.close,
    };
  });
});
