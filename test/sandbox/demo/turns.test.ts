import { expect, test } from '@jest/globals';
import type { Screen } from '../../../sandbox/demo/screen.ts';
import { playActs } from '../../../sandbox/demo/turns.ts';

function paper() {
  const text: string[] = [];
  const screen: Screen = {
    isVerbose: false,
    heading: (title) => text.push(`# ${title}`),
    say: (one) => text.push(one),
    tell: (label, one) => text.push(`${label}: ${one}`),
    relay: (line) => text.push(`| ${line}`),
    standing: (one) => text.push(`(${one})`),
    close: () => {},
  };
  return { text, screen };
}

/** Ends when it is told to. */
function acts(count: number) {
  return Array.from({ length: count }, (_, at) => {
    let end: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    return { name: `act ${at + 1}`, ended, end };
  });
}

test('acts that are played at once are printed in their order, the first as it plays', async () => {
  const { text, screen } = paper();
  const [one, two] = acts(2) as [ReturnType<typeof acts>[0], ReturnType<typeof acts>[0]];
  const stories = playActs(
    [one, two],
    async ({ name, ended, end }, turn) => {
      turn.heading(name);
      turn.standing(`${name} stands`, '');
      if (name === 'act 2') {
        turn.relay('line');
        // The second is over before the first.
        end();
        setImmediate(one.end);
      }
      await ended;
      turn.say(`${name} is over`);
      return name;
    },
    screen,
  );
  expect(await stories).toEqual(['act 1', 'act 2']);
  expect(text).toEqual([
    '# act 1',
    '(act 1 stands)',
    'act 1 is over',
    '# act 2',
    '| line',
    'act 2 is over',
  ]);
});

test('an act that fails ends the others, and its error is thrown when all are over', async () => {
  const over: string[] = [];
  const played = playActs(
    ['bad', 'good'],
    async (act, _, signal) => {
      if (act === 'bad') throw new Error('the sandbox did not start');
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
      });
      over.push(act);
    },
    paper().screen,
  );
  await expect(played).rejects.toThrow('the sandbox did not start');
  expect(over).toEqual(['good']);
});

test('the error that came first is thrown, not the abort of an earlier act that follows from it', async () => {
  const played = playActs(
    ['act 1', 'act 2'],
    async (act, _, signal) => {
      if (act === 'act 2') throw new Error('ENOSPC: no space left on device');
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
    paper().screen,
  );
  await expect(played).rejects.toThrow('ENOSPC: no space left on device');
});
