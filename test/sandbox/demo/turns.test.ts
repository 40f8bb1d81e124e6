import { expect, test } from '@jest/globals';
import type { Screen } from '../../../sandbox/demo/screen.ts';
import { runGroups } from '../../../sandbox/demo/turns.ts';

function paper() {
  const text: string[] = [];
  const screen: Screen = {
    isVerbose: false,
    heading: (title) => text.push(`# ${title}`),
    print: (one) => text.push(one),
    printLabelled: (label, one) => text.push(`${label}: ${one}`),
    relay: (line) => text.push(`| ${line}`),
    standing: (one) => text.push(`(${one})`),
    close: () => {},
  };
  return { text, screen };
}

/** Function that ends the group. */
function groups(count: number) {
  return Array.from({ length: count }, (_, at) => {
    let end: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    return { name: `group ${at + 1}`, ended, end };
  });
}

test('groups that play at once are printed in their order, the first one live', async () => {
  const { text, screen } = paper();
  const [one, two] = groups(2) as [ReturnType<typeof groups>[0], ReturnType<typeof groups>[0]];
  const stories = runGroups(
    [one, two],
    async ({ name, ended, end }, turn) => {
      turn.heading(name);
      turn.standing(`${name} stands`, '');
      if (name === 'group 2') {
        turn.relay('line');
        // The second group ends before the first.
        end();
        setImmediate(one.end);
      }
      await ended;
      turn.print(`${name} is over`);
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

test('a group that fails ends the others, and its error is thrown after all ended', async () => {
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

test('the earliest error is thrown, not the abort of an earlier group that it caused', async () => {
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
