import type { DeployError } from '../../../src/errors/deploy-error.ts';
import { deploy } from '../../../src/operator/deploy.ts';
import { recover } from '../../../src/operator/recover/recover.ts';
import type { Infrastructure } from '../../../src/ports/infrastructure.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import type { StageResult } from '../../../src/stages/context/result.ts';
import { runStage } from '../../../src/stages/run/run-stage.ts';
import { at } from '../../broken-stacks/state.ts';
import type { World } from '../../fakes/world/world.ts';
import { failed } from '../../operator/recover/failed-candidate.ts';
import { commandsIn } from '../commands-in.ts';
import { terraformErrors } from '../terraform-catalogue.ts';
import { on, type PrintingStack } from './printing.ts';

/** Makes the first plan fail with this Terraform error. */
function refusing(context: StageContext, error: DeployError): StageContext {
  const plan: Infrastructure['plan'] = () => Promise.reject(error);
  const infrastructure = { ...context.ports.infrastructure, plan };
  return { ...context, ports: { ...context.ports, infrastructure } };
}

const printing = terraformErrors.filter(({ fields }) => commandsIn(fields.fix ?? []).length > 0);

/** Makes each infrastructure method with an effect fail when it is called. */
function failing(context: StageContext, error: DeployError): StageContext {
  const rejects = () => Promise.reject(error);
  // biome-ignore lint/correctness/useYield: it ends before its first event.
  const ends = async function* () {
    throw error;
  };
  const refused = { plan: rejects, apply: ends, destroy: ends } as Partial<Infrastructure>;
  const infrastructure = { ...context.ports.infrastructure, ...refused } as Infrastructure;
  return { ...context, ports: { ...context.ports, infrastructure } };
}

/**
 * Errors of Terraform during provision. Their causes are fixed before the printed command.
 * test/terraform/troubles.test.ts and test/e2e/terraform/terraform-failures.test.ts cover the texts
 * that cause each error.
 */
const inProvision: readonly PrintingStack[] = printing.map((error, index) => ({
  code: error.code,
  where: `in words ${index + 1}`,
  build: () => at('onboarded', () => {}),
  typed: on('provision'),
  surroundings: () => ({
    drive: { act: (context) => runStage(refusing(context, error), 'provision') },
  }),
  leads: { [on('provision')]: 'done, promoted' },
}));

const denied = printing.find(({ code }) => code === 'TerraformDenied') as DeployError;
const locked = printing.find(({ code }) => code === 'TerraformStateLocked') as DeployError;

interface Typed {
  readonly typed: string;
  readonly build: () => Promise<World>;
  readonly does: (context: StageContext) => Promise<unknown>;
  readonly leads: string;
}

const yes = { kind: 'given' } as const;
const unhealthy = () => failed(2, 'fails_jobs', 'terraform');

/**
 * Other commands that call Terraform. Each error prints the same command again, since provision
 * would do nothing in most cases.
 */
const commands: readonly Typed[] = [
  {
    typed: on('cleanup'),
    build: () => at('drained', () => {}),
    does: (context) => runStage(context, 'cleanup'),
    leads: 'done, done',
  },
  {
    typed: on('finalize'),
    build: () => at('promoted', () => {}),
    does: (context) => runStage(context, 'finalize'),
    leads: 'done, done',
  },
  {
    typed: on('deploy'),
    build: () => at('promoted', () => {}),
    does: deploy,
    leads: 'done, done',
  },
  {
    typed: on('recover').replace('recover', 'recover --method cleanup --yes'),
    build: unhealthy,
    does: (context) => recover(context, { method: 'cleanup', consent: yes }),
    leads: 'done, promoted',
  },
  {
    typed: on('recover').replace('recover', 'recover --method replace --yes'),
    build: unhealthy,
    does: (context) => recover(context, { method: 'replace', consent: yes }),
    leads: 'done, promoted',
  },
];

const inOtherCommands: readonly PrintingStack[] = [denied, locked].flatMap((error) =>
  commands.map(({ typed, build, does, leads }) => ({
    code: error.code,
    where: `of ${typed}`,
    build,
    typed,
    surroundings: () => ({
      drive: { act: async (context) => (await does(failing(context, error))) as StageResult },
    }),
    leads: { [typed]: leads },
  })),
);

export const terraformStacks: readonly PrintingStack[] = [...inProvision, ...inOtherCommands];
