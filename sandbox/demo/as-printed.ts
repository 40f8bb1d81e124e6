import { nextCommands } from './next-commands.ts';
import { run, SceneFailure, type Theatre } from './play/theatre.ts';

const mostCommands = 6;

/** Types what was printed, and nothing else, until the deployment is done. */
export async function typeAsPrinted(
  theatre: Theatre,
  printed: readonly string[],
  beforeEach: (words: readonly string[]) => void = () => {},
): Promise<'done'> {
  const { watch } = theatre;
  let [next] = nextCommands(printed);
  for (let typed = 0; typed < mostCommands; typed += 1) {
    if (next === undefined) throw new SceneFailure('no next command was printed.');
    beforeEach(next);
    const ended = await run(theatre, next);
    if (watch.now().record?.phase === 'done') return 'done';
    // A pipeline goes on by itself after a provision that succeeded.
    const onwards = ended.exitCode === 0 && next[0] === 'provision';
    next = onwards ? ['finalize', ...runnerOf(theatre)] : nextCommands(ended.lines)[0];
  }
  throw new SceneFailure(`${mostCommands} commands did not finish the deployment.`);
}

export function runnerOf({ stack }: Theatre): readonly string[] {
  return ['--runner', stack.runnerName];
}
