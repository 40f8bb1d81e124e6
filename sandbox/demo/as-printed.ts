import { type DemoEnvironment, describeEnd, run, ScenarioFailure } from './run/demo-environment.ts';

const mostCommands = 6;

/** Runs the printed commands, and no others, until the deployment is done. */
export async function typeAsPrinted(
  demo: DemoEnvironment,
  printed: readonly string[],
  beforeEach: (words: readonly string[]) => void = () => {},
): Promise<'done'> {
  const { watch } = demo;
  let [next] = nextCommands(printed);
  let last = 'no command was entered';
  for (let typed = 0; typed < mostCommands; typed += 1) {
    if (next === undefined) throw new ScenarioFailure(`no next command was printed: ${last}.`);
    beforeEach(next);
    const ended = await run(demo, next);
    if (watch.now().record?.phase === 'done') return 'done';
    last = `hosted-runner ${next.join(' ')} ended with ${describeEnd(ended)}`;
    // A pipeline continues by itself after a successful `provision`.
    const onwards = ended.exitCode === 0 && next[0] === 'provision';
    next = onwards ? ['finalize', ...runnerOf(demo)] : nextCommands(ended.lines)[0];
  }
  throw new ScenarioFailure(`${mostCommands} commands did not finish the deployment: ${last}.`);
}

export function runnerOf({ stack }: DemoEnvironment): readonly string[] {
  return ['--runner', stack.runnerName];
}

/** Commands that advance a deployment. Commands that only show something are excluded. */
const forward =
  /\bhosted-runner ((?:provision|recover|finalize|deploy|promote|rollback)(?: [\w=./-]+)*)/g;

/** Returns the commands that a run printed as next steps, in order, without the program's name. */
export function nextCommands(lines: readonly string[]): readonly (readonly string[])[] {
  const found = lines.flatMap((line) => [...line.matchAll(forward)].map(([, words = '']) => words));
  return [...new Set(found)].map((words) => words.replace(/\.$/, '').split(' '));
}
