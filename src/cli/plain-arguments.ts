import type { CommandExit } from './actions.ts';
import { readAssignment, readDeploymentId, readFilePath, readRunnerName } from './arguments.ts';
import type { Frame, Given } from './frame.ts';
import { stageOptions } from './given.ts';

const stages = [
  'prepare',
  'onboard',
  'provision',
  'promote',
  'healthcheck',
  'shutdown',
  'cleanup',
  'finalize',
] as const;

/** What commander calls each flag, and how its value is read. */
const valued: ReadonlyMap<string, readonly [name: string, read: typeof readFilePath]> = new Map([
  ['--runner', ['runner', readRunnerName]],
  ['--config', ['config', readFilePath]],
  ['--set', ['set', readAssignment]],
  ['--deployment', ['deployment', readDeploymentId]],
  ['--report-dir', ['reportDir', readFilePath]],
  ['--evidence-file', ['evidenceFile', readFilePath]],
  ['--until', ['until', readAsItIs]],
]);

/**
 * The action of a stage whose arguments hold nothing special, as a pipeline types them; undefined for
 * everything else, help and mistakes included. Commander reads the same out of them, a test says so,
 * and takes longer to load than the stage takes to ask GitLab its first question.
 */
export function readPlain(
  argv: readonly string[],
  frame: Pick<Frame, 'actions' | 'environment'>,
): (() => Promise<CommandExit>) | undefined {
  const [first, ...rest] = argv;
  const stage = stages.find((name) => name === first);
  const given = stage === undefined ? undefined : readFlags(rest);
  if (stage === undefined || given === undefined) return undefined;
  const until = given['until'];
  if (until !== undefined && (stage !== 'provision' || !isPlace(until))) return undefined;
  return async () => run(frame, { stage, given });
}

function run(
  frame: Pick<Frame, 'actions' | 'environment'>,
  { stage, given }: { stage: (typeof stages)[number]; given: Given },
): Promise<CommandExit> {
  const options = stageOptions(frame, given, {
    name: () => stage,
    parent: { name: () => 'hosted-runner' },
  });
  const { actions } = frame;
  if (stage === 'provision') {
    const until = given['until'] === 'healthy' ? 'healthy' : 'promoted';
    return actions.provision({ ...options, until });
  }
  return actions[stage](options);
}

/** Undefined for whatever is not surely a flag of ours with its value. */
function readFlags(words: readonly string[]): Given | undefined {
  const given: Record<string, unknown> = {};
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--take-lock') given['takeLock'] = true;
    else if (word === '--no-color') given['color'] = false;
    else {
      const equals = word.indexOf('=');
      const flag = equals < 0 ? word : word.slice(0, equals);
      const value = equals < 0 ? words[++index] : word.slice(equals + 1);
      const known = valued.get(flag);
      if (known === undefined || value === undefined || value === '' || value.startsWith('-')) {
        return undefined;
      }
      const [name, read] = known;
      const text = accepted(() => read(value, flag));
      if (text === undefined) return undefined;
      given[name] = name === 'set' ? [...((given['set'] as string[]) ?? []), text] : text;
    }
  }
  return given;
}

/** A value that is refused is a mistake as well: commander says which of several comes first. */
function accepted(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function isPlace(until: unknown): boolean {
  return until === 'healthy' || until === 'promoted';
}

function readAsItIs(text: string): string {
  return text;
}
