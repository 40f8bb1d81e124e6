import { CommanderError } from 'commander';
import type { DeploymentId, RunnerName } from '../domain/shard.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import type { DeployError } from '../errors/deploy-error.ts';
import { badUsage } from '../errors/input-errors.ts';
import { readDeploymentId, readFilePath, readReason, readRunnerName } from './arguments.ts';

export interface TypedCommand {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Option values that are already read, by commander's names. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Arguments that are no options. */
  readonly words: readonly string[];
  readonly name: string;
  /** Command with its parents: `sandbox apply`. */
  readonly path: string;
}

export function readCommon({ given }: TypedCommand) {
  return {
    ...whenGiven('config', given['config'] as string | undefined),
    overrides: (given['set'] as readonly string[] | undefined) ?? [],
    color: given['color'] !== false,
  };
}

export function readStack(call: TypedCommand) {
  return { ...readCommon(call), runnerName: requireRunnerName(call) };
}

/** Reads the options of a command for one stack that writes events. */
export function readReported(call: TypedCommand) {
  return { ...readStack(call), ...readReports(call) };
}

export function readStage(call: TypedCommand) {
  const { environment, given } = call;
  const fromEnvironment = <Value>(name: string, read: (text: string, from: string) => Value) => {
    const text = environment[name];
    return text === undefined || text === '' ? undefined : read(text, name);
  };
  const deployment =
    (given['deployment'] as DeploymentId | undefined) ??
    fromEnvironment('HOSTED_RUNNER_DEPLOYMENT', readDeploymentId);
  return {
    ...readReported(call),
    ...whenGiven('deployment', deployment),
    takeLock: given['takeLock'] === true,
  };
}

/** Reads the options of a command that begins a deployment. */
export function readBeginningOptions(call: TypedCommand) {
  const { environment, given } = call;
  const name = 'HOSTED_RUNNER_AGAIN';
  const text = environment[name];
  const givenReason = text === undefined || text === '' ? undefined : readReason(text, name);
  const againBecause = (given['again'] as string | undefined) ?? givenReason;
  return { ...readStage(call), ...whenGiven('againBecause', againBecause) };
}

/** Reads the targets of reports and events. */
export function readReports({ environment, given }: TypedCommand) {
  const path = (name: string, variable: string) => {
    const flag = given[name] as string | undefined;
    const text = environment[variable];
    if (flag !== undefined || text === undefined || text === '') return flag;
    return readFilePath(text, variable);
  };
  return {
    ...whenGiven('reportDirectory', path('reportDir', 'HOSTED_RUNNER_REPORT_DIR')),
    ...whenGiven('json', given['json'] as boolean | undefined),
    ...whenGiven('plain', given['plain'] as boolean | undefined),
    ...whenGiven('verbose', given['verbose'] as boolean | undefined),
    ...whenGiven('eventFile', path('evidenceFile', 'HOSTED_RUNNER_EVIDENCE_FILE')),
  };
}

export function findRunnerName({ environment, given }: TypedCommand): RunnerName | undefined {
  const name = 'HOSTED_RUNNER_RUNNER_NAME';
  const text = environment[name];
  const fromFlag = given['runner'] as RunnerName | undefined;
  if (fromFlag !== undefined || text === undefined || text === '') return fromFlag;
  return readRunnerName(text, name);
}

function requireRunnerName(call: TypedCommand): RunnerName {
  const name = findRunnerName(call);
  if (name !== undefined) return name;
  throw new StackMissing(call);
}

/** Error for a command without the name of its stack; the command line lists the names. */
export class StackMissing extends CommanderError {
  /** Value of `--config`, if given. */
  readonly config: string | undefined;

  constructor(call: TypedCommand) {
    super(2, 'hosted-runner.stackMissing', `error: ${call.name} needs the name of a stack`);
    this.config = readCommon(call).config;
  }
}

/** Refuses an option for one stack together with an option for all stacks. */
export function oneOrAll(what: string, command: string): DeployError {
  return badUsage({
    what,
    fix: [
      { text: 'One stack', command, runner: 'NAME' },
      { text: 'Every stack', command: inShell`${command} --all` },
    ],
  });
}

/** Returns a required option; throws if it is absent. */
export function requireOption<Value>(
  { given, name: command, path }: TypedCommand,
  flag: string,
): Value {
  const name = flag.replace(/^--/, '').split(' ')[0] ?? '';
  if (given[name] !== undefined) return given[name] as Value;
  throw badUsage({
    what: `${command} needs ${flag}.`,
    fix: [exampleHint(path)],
  });
}

export function exampleHint(command: string) {
  const help = inShell`${command.split(' ')} --help`;
  return { text: 'Show its examples', command: help, isAlone: true } as const;
}

/** Returns `{ [name]: value }`, or an empty object: an absent option is an absent property. */
export function whenGiven<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}
