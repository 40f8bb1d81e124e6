import type { DeployError } from '../../../src/errors/deploy-error.ts';
import type { Infrastructure } from '../../../src/ports/infrastructure.ts';
import type { StageContext } from '../../../src/stages/walk/context.ts';
import { runStage } from '../../../src/stages/walk/walk.ts';
import { at } from '../../broken-stacks/state.ts';
import { commandsIn } from '../commands-in.ts';
import { terraformErrors } from '../terraform-catalogue.ts';
import { on, type PrintingStack } from './printing.ts';

/** As `provision` meets a Terraform that says this of its first plan. */
function refusing(context: StageContext, error: DeployError): StageContext {
  const plan: Infrastructure['plan'] = () => Promise.reject(error);
  const infrastructure = { ...context.ports.infrastructure, plan };
  return { ...context, ports: { ...context.ports, infrastructure } };
}

const printing = terraformErrors.filter(({ fields }) => commandsIn(fields.fix ?? []).length > 0);

/**
 * Which words of Terraform make which of these errors is test/terraform/troubles.test.ts and, with
 * Terraform itself, test/e2e/terraform/terraform-failures.test.ts. What it was about is mended before the command.
 */
export const terraformStacks: readonly PrintingStack[] = printing.map((error, index) => ({
  code: error.code,
  where: `in words ${index + 1}`,
  build: () => at('onboarded', () => {}),
  typed: on('provision'),
  surroundings: () => ({
    drive: { act: (context) => runStage(refusing(context, error), 'provision') },
  }),
  leads: { [on('provision')]: 'done, promoted' },
}));
