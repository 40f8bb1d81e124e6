import { runnerNamePattern } from '../../domain/keys/name-patterns.ts';
import { badUsage } from '../../errors/input-errors.ts';
import { flagOf } from '../command.ts';
import { actionStages, findCommand } from '../commands/command-table.ts';
import { type ActionInput, actionOwnInputs } from './action-inputs.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Command line and environment that the action's inputs describe. */
export interface ActionCall {
  readonly argv: readonly string[];
  readonly environment: Environment;
}

/**
 * Returns whether GitHub started the program as an action: without arguments and with inputs in the
 * environment. GITHUB_ACTIONS alone proves nothing, because every `run:` step has it too.
 */
export function isAction(argv: readonly string[], environment: Environment): boolean {
  return argv.length === 0 && environment['INPUT_STAGE'] !== undefined;
}

/** @throws DeployError `BadUsage` */
export function readAction(environment: Environment): ActionCall {
  const given = (name: string) => (environment[`INPUT_${name.toUpperCase()}`] ?? '').trim();
  const stage = given('stage') || 'healthcheck';
  if (!actionStages.includes(stage)) throw noSuchStage(stage);
  refuseFormer(given('runner'));
  const typed = actionOwnInputs.flatMap((input) =>
    typedOf(input, { stage, text: given(input.name) }),
  );
  return { argv: [stage, ...typed], environment: withInputs(environment) };
}

function typedOf(
  { name, goesTo }: ActionInput,
  { stage, text }: { stage: string; text: string },
): string[] {
  if (goesTo?.kind === 'switch')
    return readSwitch(name, text) && takes(stage, goesTo.flag) ? [goesTo.flag] : [];
  if (goesTo?.kind !== 'flag' || text === '') return [];
  return goesTo.of === undefined || goesTo.of === stage ? [`${goesTo.flag}=${text}`] : [];
}

/**
 * Returns whether the stage accepts the flag. A workflow sets one input for all stages, and some
 * stages lack the flag, for example stages without a lock.
 */
function takes(stage: string, flag: string): boolean {
  return findCommand(stage)?.options.some((option) => flagOf(option) === flag) === true;
}

/**
 * Sets the variables of the inputs: `drain_timeout` is HOSTED_RUNNER_DRAIN_TIMEOUT. An input takes
 * precedence over a variable of the workflow.
 */
function withInputs(environment: Environment): Environment {
  const given = Object.entries(environment).flatMap(([variable, value = '']) => {
    const [, name] = /^INPUT_([A-Z0-9_]+)$/.exec(variable) ?? [];
    const text = value.trim();
    if (name === undefined || text === '') return [];
    const { goesTo } = actionOwnInputs.find((input) => input.name.toUpperCase() === name) ?? {};
    if (goesTo === undefined) return [[`HOSTED_RUNNER_${name}`, text] as const];
    if (goesTo.kind !== 'variable' || environment[goesTo.variable]) return [];
    return [[goesTo.variable, text] as const];
  });
  return { ...environment, ...Object.fromEntries(given) };
}

function readSwitch(name: string, text: string): boolean {
  if (/^(?:true|false|)$/.test(text)) return text === 'true';
  throw badUsage({
    what: `The input ${name} must be true or false.`,
    fix: [`Set it in the workflow: ${name}: true`],
  });
}

/** Refuses the former name of an input. */
function refuseFormer(runner: string): void {
  if (runner === '') return;
  throw badUsage({
    what: 'The input runner is now called runner_name.',
    fix: [
      `Set it in the workflow: runner_name: ${runnerNamePattern.test(runner) ? runner : 'NAME'}`,
    ],
  });
}

function noSuchStage(stage: string) {
  const shown = JSON.stringify(stage.slice(0, 40));
  return badUsage({
    what: `The input stage is ${shown}, which is not a stage.`,
    why: `The stages are ${actionStages.join(', ')}.`,
    fix: ['Set one of them in the workflow: stage: healthcheck'],
  });
}
