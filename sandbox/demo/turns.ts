import { availableParallelism } from 'node:os';
import type { Screen } from './screen.ts';

/** Plays per core. They mostly wait, so this many do not delay each other. */
const eachCore = 2;

/**
 * Plays all groups, as many at once as the cores allow, and prints them in order.
 * @throws the first error, after all groups have ended: it ends the others, which also fail
 */
export async function runGroups<ScenarioGroup, Story>(
  groups: readonly ScenarioGroup[],
  play: (group: ScenarioGroup, screen: Screen, signal: AbortSignal) => Promise<Story>,
  screen: Screen,
): Promise<readonly Story[]> {
  const turns = takeTurns(screen, groups.length);
  const failed = new AbortController();
  const errors: unknown[] = [];
  const stories: Story[] = [];
  const left = [...groups.entries()];
  const playNext = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, group] = next;
      const turn = turns[at] as Turn;
      try {
        stories[at] = await play(group, turn.screen, failed.signal);
      } catch (error) {
        errors.push(error);
        failed.abort();
      } finally {
        turn.end();
      }
    }
  };
  await Promise.all(Array.from({ length: eachCore * availableParallelism() }, playNext));
  if (errors.length > 0) throw errors[0];
  return stories;
}

/** Screen of one group among several that play at once. */
interface Turn {
  readonly screen: Screen;
  /** Marks the group as ended. */
  end(): void;
}

/** Prints the groups in order: the first unfinished group live, the others afterwards. */
function takeTurns(screen: Screen, count: number): readonly Turn[] {
  const kept: (() => void)[][] = Array.from({ length: count }, () => []);
  const isOver = kept.map(() => false);
  let current = 0;

  function pass(): void {
    while (isOver[current]) {
      current += 1;
      for (const print of kept[current] ?? []) print();
    }
  }

  return kept.map((waiting, at) => {
    const print = (one: () => void) => {
      if (at === current) one();
      else waiting.push(one);
    };
    return {
      screen: {
        isVerbose: screen.isVerbose,
        heading: (title) => print(() => screen.heading(title)),
        print: (text) => print(() => screen.print(text)),
        printLabelled: (label, text) => print(() => screen.printLabelled(label, text)),
        relay: (line) => print(() => screen.relay(line)),
        // Past states are not shown later.
        standing: (text, key) => {
          if (at === current) screen.standing(text, key);
        },
        close: () => print(() => screen.close()),
      },
      end() {
        isOver[at] = true;
        pass();
      },
    };
  });
}
