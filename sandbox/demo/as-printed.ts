import { type DemoEnvironment, describeEnd, run, ScenarioFailure } from './run/demo-environment.ts';

const mostCommands = 6;

/** Types what was printed, and nothing else, until the deployment is done. */
export async function typeAsPrinted(
  demo: DemoEnvironment,
  printed: readonly string[],
  beforeEach: (words: readonly string[]) => void = () => {},
): Promise<'done'> {
  const { watch } = demo;
  let [next] = nextCommands(printed);
  let last = 'nothing was typed';
  for (let typed = 0; typed < mostCommands; typed += 1) {
    if (next === undefined) throw new ScenarioFailure(`no next command was printed: ${last}.`);
    beforeEach(next);
    const ended = await run(demo, next);
    if (watch.now().record?.phase === 'done') return 'done';
    last = `hosted-runner ${next.join(' ')} ended with ${describeEnd(ended)}`;
    // A pipeline goes on by itself after a provision that succeeded.
    const onwards = ended.exitCode === 0 && next[0] === 'provision';
    next = onwards ? ['finalize', ...runnerOf(demo)] : nextCommands(ended.lines)[0];
  }
  throw new ScenarioFailure(`${mostCommands} commands did not finish the deployment: ${last}.`);
}

export function runnerOf({ stack }: DemoEnvironment): readonly string[] {
  return ['--runner', stack.runnerName];
}

/** Verbs that bring a deployment forward; what only shows something is no way on. */
const forward =
  /\bhosted-runner ((?:provision|recover|finalize|deploy|promote|rollback)(?: [\w=./-]+)*)/g;

/** The commands that a run printed as the next ones, in its order, as words after the program's name. */
export function nextCommands(lines: readonly string[]): readonly (readonly string[])[] {
  const found = lines.flatMap((line) => [...line.matchAll(forward)].map(([, words = '']) => words));
  return [...new Set(found)].map((words) => words.replace(/\.$/, '').split(' '));
}
