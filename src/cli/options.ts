import { type Command, Option } from 'commander';
import type { RunnerName } from '../domain/shard.ts';
import { badUsage } from '../errors/input.ts';
import type { CommonOptions, StackOptions, StageOptions } from './actions.ts';
import { readAssignment, readDeploymentId, readFilePath, readRunnerName } from './arguments.ts';
import type { Frame, Given } from './frame.ts';

export function addOption<Value>(
  command: Command,
  { flags, description, read }: OptionDefinition<Value>,
): Command {
  const [name = flags] = flags.split(' ');
  return command.option(flags, description, (text: string) => read(text, name));
}

interface OptionDefinition<Value> {
  readonly flags: string;
  readonly description: string;
  readonly read: (text: string, from: string) => Value;
}

export function addChoice(
  command: Command,
  {
    flags,
    description,
    choices,
  }: { flags: string; description: string; choices: readonly string[] },
): Command {
  return command.addOption(new Option(flags, description).choices(choices));
}

export function addCommonOptions(command: Command): Command {
  addOption(command, {
    flags: '--config <file>',
    description: 'configuration to read (default: hosted-runners.yml)',
    read: readFilePath,
  });
  command.option(
    '--set <key=value>',
    'override a key of the configuration; may be repeated',
    (text: string, before: readonly string[] = []) => [...before, readAssignment(text, '--set')],
  );
  return addColorOption(command);
}

export function addColorOption(command: Command): Command {
  return command.option('--no-color', 'plain text, also on a terminal');
}

export function addRunnerOption(command: Command): Command {
  return addOption(command, {
    flags: '--runner <name>',
    description: 'the stack; HOSTED_RUNNER_RUNNER_NAME when absent',
    read: readRunnerName,
  });
}

export function addStageOptions(command: Command): Command {
  addRunnerOption(command);
  addCommonOptions(command);
  addOption(command, {
    flags: '--deployment <id>',
    description: "the deployment's id (default: the pipeline's own)",
    read: readDeploymentId,
  });
  command.option('--take-lock', "I have made sure that the lock's owner no longer runs");
  addOption(command, {
    flags: '--report-dir <folder>',
    description: "write the files for a CI's reports here",
    read: readFilePath,
  });
  return addOption(command, {
    flags: '--evidence-file <file>',
    description: 'append every event here as a line of JSON',
    read: readFilePath,
  });
}

export function commonOptions(given: Given): CommonOptions {
  return {
    ...whenGiven('config', given['config'] as string | undefined),
    overrides: (given['set'] as readonly string[] | undefined) ?? [],
    color: given['color'] !== false,
  };
}

export function stackOptions(frame: Frame, given: Given, command: Command): StackOptions {
  return { ...commonOptions(given), runnerName: requireRunnerName(frame, given, command) };
}

export function stageOptions(frame: Frame, given: Given, command: Command): StageOptions {
  const { environment } = frame;
  const fromEnvironment = <Value>(name: string, read: (text: string, from: string) => Value) => {
    const text = environment[name];
    return text === undefined || text === '' ? undefined : read(text, name);
  };
  const deployment =
    (given['deployment'] as StageOptions['deployment']) ??
    fromEnvironment('HOSTED_RUNNER_DEPLOYMENT', readDeploymentId);
  const evidenceFile =
    (given['evidenceFile'] as string | undefined) ??
    fromEnvironment('HOSTED_RUNNER_EVIDENCE_FILE', readFilePath);
  const reportDirectory =
    (given['reportDir'] as string | undefined) ??
    fromEnvironment('HOSTED_RUNNER_REPORT_DIR', readFilePath);
  return {
    ...stackOptions(frame, given, command),
    ...whenGiven('reportDirectory', reportDirectory),
    ...whenGiven('deployment', deployment),
    ...whenGiven('evidenceFile', evidenceFile),
    takeLock: given['takeLock'] === true,
  };
}

export function findRunnerName(frame: Frame, given: Given): RunnerName | undefined {
  const name = 'HOSTED_RUNNER_RUNNER_NAME';
  const text = frame.environment[name];
  const fromFlag = given['runner'] as RunnerName | undefined;
  if (fromFlag !== undefined || text === undefined || text === '') return fromFlag;
  return readRunnerName(text, name);
}

function requireRunnerName(frame: Frame, given: Given, command: Command): RunnerName {
  const name = findRunnerName(frame, given);
  if (name !== undefined) return name;
  throw badUsage({
    what: `${command.name()} has to know the stack.`,
    fix: [
      `Name it: hosted-runner ${command.name()} --runner NAME`,
      'See which there are: hosted-runner status',
    ],
  });
}

/** Refuses where a flag that the command cannot do without is absent. */
export function requireOption<Value>(command: Command, given: Given, flag: string): Value {
  const name = flag.replace(/^--/, '').split(' ')[0] ?? '';
  if (given[name] !== undefined) return given[name] as Value;
  throw badUsage({
    what: `${command.name()} needs ${flag}.`,
    fix: [`See its examples: hosted-runner ${command.name()} --help`],
  });
}

/** `{ [name]: value }`, or nothing: an absent option is an absent property. */
export function whenGiven<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}
