import type { RunnerName } from '../domain/shard.ts';
import { badUsage } from '../errors/input.ts';
import type { CommonOptions, StackOptions, StageOptions } from './actions.ts';
import { readDeploymentId, readFilePath, readRunnerName } from './arguments.ts';
import type { Frame, Given } from './frame.ts';

/** As much of a command as its options need to know. */
interface Named {
  name(): string;
  readonly parent?: Named | null;
}

type Surrounded = Pick<Frame, 'environment'>;

export function commonOptions(given: Given): CommonOptions {
  return {
    ...whenGiven('config', given['config'] as string | undefined),
    overrides: (given['set'] as readonly string[] | undefined) ?? [],
    color: given['color'] !== false,
  };
}

export function stackOptions(frame: Surrounded, given: Given, command: Named): StackOptions {
  return { ...commonOptions(given), runnerName: requireRunnerName(frame, given, command) };
}

export function stageOptions(frame: Surrounded, given: Given, command: Named): StageOptions {
  const { environment } = frame;
  const fromEnvironment = <Value>(name: string, read: (text: string, from: string) => Value) => {
    const text = environment[name];
    return text === undefined || text === '' ? undefined : read(text, name);
  };
  const deployment =
    (given['deployment'] as StageOptions['deployment']) ??
    fromEnvironment('HOSTED_RUNNER_DEPLOYMENT', readDeploymentId);
  return {
    ...stackOptions(frame, given, command),
    ...reportOptions(frame, given),
    ...whenGiven('deployment', deployment),
    takeLock: given['takeLock'] === true,
  };
}

/** Where what a command saw, decided and did is written. */
export function reportOptions(
  { environment }: Surrounded,
  given: Given,
): Pick<StageOptions, 'evidenceFile' | 'reportDirectory'> {
  const path = (name: string, variable: string) => {
    const flag = given[name] as string | undefined;
    const text = environment[variable];
    if (flag !== undefined || text === undefined || text === '') return flag;
    return readFilePath(text, variable);
  };
  return {
    ...whenGiven('reportDirectory', path('reportDir', 'HOSTED_RUNNER_REPORT_DIR')),
    ...whenGiven('evidenceFile', path('evidenceFile', 'HOSTED_RUNNER_EVIDENCE_FILE')),
  };
}

export function findRunnerName(frame: Surrounded, given: Given): RunnerName | undefined {
  const name = 'HOSTED_RUNNER_RUNNER_NAME';
  const text = frame.environment[name];
  const fromFlag = given['runner'] as RunnerName | undefined;
  if (fromFlag !== undefined || text === undefined || text === '') return fromFlag;
  return readRunnerName(text, name);
}

function requireRunnerName(frame: Surrounded, given: Given, command: Named): RunnerName {
  const name = findRunnerName(frame, given);
  if (name !== undefined) return name;
  throw badUsage({
    what: `${command.name()} has to know the stack.`,
    fix: [
      // Added to what was typed: other words may be needed, too, and were given.
      'Name it: --runner NAME',
      'See which there are: hosted-runner status',
    ],
  });
}

/** Refuses where a flag that the command cannot do without is absent. */
export function requireOption<Value>(command: Named, given: Given, flag: string): Value {
  const name = flag.replace(/^--/, '').split(' ')[0] ?? '';
  if (given[name] !== undefined) return given[name] as Value;
  throw badUsage({
    what: `${command.name()} needs ${flag}.`,
    fix: [`See its examples: ${asTyped(command)} --help`],
  });
}

/** With the command that it is a part of: `hosted-runner sandbox apply`. */
function asTyped(command: Named): string {
  const { parent } = command;
  const before = parent === undefined || parent === null ? '' : `${asTyped(parent)} `;
  return `${before}${command.name()}`;
}

/** `{ [name]: value }`, or nothing: an absent option is an absent property. */
export function whenGiven<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}
