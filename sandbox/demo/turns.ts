import { availableParallelism } from 'node:os';
import type { Screen } from './screen.ts';

/** A play mostly waits: so many on each core of this computer do not hold each other up. */
const eachCore = 2;

/**
 * Plays all, several at once and in the order of the screen as cores allow.
 * @throws the error that came first, once all are over: it ends the others, which fail as well
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

/** The screen of one group among several that are played at once. */
interface Turn {
  readonly screen: Screen;
  /** Nothing more comes from this group. */
  end(): void;
}

/** Prints the groups in their order: the first that is not over as it plays, what the others print after it. */
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
        say: (text) => print(() => screen.say(text)),
        tell: (label, text) => print(() => screen.tell(label, text)),
        relay: (line) => print(() => screen.relay(line)),
        // Of the past nobody needs it.
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
