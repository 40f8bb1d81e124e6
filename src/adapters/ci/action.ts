import { badUsage } from '../../errors/input.ts';
import type { Environment } from './variables.ts';

/** What the action was asked for, as a command line and an environment. */
export interface ActionCall {
  readonly argv: readonly string[];
  readonly environment: Environment;
}

/** Inputs that are flags or other variables; every other input is the variable of the same name. */
const ownInputs = ['STAGE', 'RUNNER', 'CONFIG', 'UNTIL', 'TAKE_LOCK', 'GITHUB_TOKEN'];

/**
 * GitHub starts an action without arguments and with its inputs in the environment. GITHUB_ACTIONS
 * alone proves nothing: every `run:` step has it, too.
 */
export function isAction(argv: readonly string[], environment: Environment): boolean {
  return argv.length === 0 && environment['INPUT_STAGE'] !== undefined;
}

/**
 * What it may be asked for is what the table of commands says of it.
 * @throws DeployError `BadUsage`
 */
export function readAction(environment: Environment, stages: readonly string[]): ActionCall {
  const input = (name: string) => (environment[`INPUT_${name}`] ?? '').trim();
  const stage = input('STAGE') || 'healthcheck';
  if (!stages.includes(stage)) throw noSuchStage(stage, stages);
  return {
    argv: [
      stage,
      ...flag('--runner', input('RUNNER')),
      ...flag('--config', input('CONFIG')),
      ...(stage === 'provision' ? flag('--until', input('UNTIL')) : []),
      ...(readSwitch('take_lock', input('TAKE_LOCK')) ? ['--take-lock'] : []),
    ],
    environment: withInputs(environment, input('GITHUB_TOKEN')),
  };
}

function flag(name: string, value: string): string[] {
  return value === '' ? [] : [`${name}=${value}`];
}

/** `drain_timeout` is HOSTED_RUNNER_DRAIN_TIMEOUT; an input goes before a variable of the workflow. */
function withInputs(environment: Environment, githubToken: string): Environment {
  const given = Object.entries(environment).flatMap(([name, value = '']) => {
    const [, input = ''] = /^INPUT_([A-Z0-9_]+)$/.exec(name) ?? [];
    if (input === '' || ownInputs.includes(input) || value.trim() === '') return [];
    return [[`HOSTED_RUNNER_${input}`, value.trim()] as const];
  });
  const token = environment['GITHUB_TOKEN'] || githubToken;
  return {
    ...environment,
    ...(token === '' ? {} : { GITHUB_TOKEN: token }),
    ...Object.fromEntries(given),
  };
}

function readSwitch(name: string, text: string): boolean {
  if (/^(?:true|false|)$/.test(text)) return text === 'true';
  throw badUsage({
    what: `The input ${name} is neither true nor false.`,
    fix: [`Write it in the workflow: ${name}: true`],
  });
}

function noSuchStage(stage: string, stages: readonly string[]) {
  const shown = JSON.stringify(stage.slice(0, 40));
  return badUsage({
    what: `The input stage is ${shown}, which is no stage.`,
    why: `The stages are ${stages.join(', ')}.`,
    fix: ['Write one of them in the workflow: stage: healthcheck'],
  });
}
