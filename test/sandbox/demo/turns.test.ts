import { expect, test } from '@jest/globals';
import type { Screen } from '../../../sandbox/demo/screen.ts';
import { runGroups } from '../../../sandbox/demo/turns.ts';

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
function groups(count: number) {
  return Array.from({ length: count }, (_, at) => {
    let end: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    return { name: `group ${at + 1}`, ended, end };
  });
}

test('groups that are played at once are printed in their order, the first as it plays', async () => {
  const { text, screen } = paper();
  const [one, two] = groups(2) as [ReturnType<typeof groups>[0], ReturnType<typeof groups>[0]];
  const stories = runGroups(
    [one, two],
    async ({ name, ended, end }, turn) => {
      turn.heading(name);
      turn.standing(`${name} stands`, '');
      if (name === 'group 2') {
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
  expect(await stories).toEqual(['group 1', 'group 2']);
  expect(text).toEqual([
    '# group 1',
    '(group 1 stands)',
    'group 1 is over',
    '# group 2',
    '| line',
    'group 2 is over',
  ]);
});

test('an group that fails ends the others, and its error is thrown when all are over', async () => {
  const over: string[] = [];
  const played = runGroups(
    ['bad', 'good'],
    async (group, _, signal) => {
      if (group === 'bad') throw new Error('the sandbox did not start');
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
      });
      over.push(group);
    },
    paper().screen,
  );
  await expect(played).rejects.toThrow('the sandbox did not start');
  expect(over).toEqual(['good']);
});

test('the error that came first is thrown, not the abort of an earlier group that follows from it', async () => {
  const played = runGroups(
    ['group 1', 'group 2'],
    async (group, _, signal) => {
      if (group === 'group 2') throw new Error('ENOSPC: no space left on device');
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
    paper().screen,
  );
  await expect(played).rejects.toThrow('ENOSPC: no space left on device');
});
