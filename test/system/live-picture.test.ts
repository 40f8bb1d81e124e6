import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { openFrame } from '../../src/adapters/system/frame.ts';
import { createLiveLine, type LivePicture } from '../../src/adapters/system/live-line.ts';
import { openScreen } from '../e2e/pseudo-terminal/screen.ts';

const clock = { now: () => 0, elapsed: () => 0, sleep: async () => {} };

function open(picture: LivePicture, size = { columns: 80, rows: 24 }) {
  const screen = openScreen(size.columns);
  const stream = Object.assign(new EventEmitter(), {
    ...size,
    isTTY: true,
    write: (text: string) => {
      // A terminal's driver adds the carriage return.
      screen.write(text.replaceAll('\n', '\r\n'));
      return true;
    },
  });
  const line = createLiveLine({ stream: stream as unknown as NodeJS.WriteStream, clock, picture });
  const shown = () => screen.rows().filter((row) => row !== '');
  const drawn = async () => {
    while (shown().length === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const resize = (columns: number) => {
    screen.resize(columns);
    stream.columns = columns;
    stream.emit('resize');
  };
  return { line, shown, drawn, resize, stream, print: (text: string) => stream.write(`${text}\n`) };
}

const filling: LivePicture = ({ columns, rows }) =>
  ['head', 'pink', 'purple'].map((name) => name.padEnd(columns, '.')).slice(0, rows);

test('lines are printed above the picture, which stays below', async () => {
  const { line, shown, drawn, print } = open(() => ['head', 'lane']);
  line.refresh();
  await drawn();
  line.above(() => print('one'));
  line.show('Waiting: a job.', 0);
  line.above(() => print('two'));
  expect(shown()).toEqual(['one', 'two', 'head', 'lane']);
  line.close();
  expect(shown()).toEqual(['one', 'two']);
});

test.each([20, 41, 79, 200])(
  'a terminal of %i columns has one picture after it was resized',
  async (columns) => {
    const { line, shown, drawn, resize, print } = open(filling);
    line.refresh();
    await drawn();
    line.above(() => print('said'));
    resize(columns);
    const width = (name: string) => name.padEnd(columns - 1, '.');
    expect(shown()).toEqual(['said', width('head'), width('pink'), width('purple')]);
    resize(80);
    line.close();
    expect(shown()).toEqual(['said']);
  },
);

test('colours take no width of a terminal that became narrower', async () => {
  const coloured: LivePicture = () => ['one', 'two'].map((name) => `\u001b[32m${name}\u001b[39m`);
  const { line, shown, drawn, resize, print } = open(coloured);
  line.refresh();
  await drawn();
  line.above(() => print('said'));
  resize(10);
  expect(shown()).toEqual(['said', 'one', 'two']);
  line.close();
});

test('a frame that ends with a line break removes no line above it at a resize', async () => {
  const { shown, print, stream, resize } = open(() => []);
  print('$ hosted-runner status --watch');
  const frame = await openFrame(stream as unknown as NodeJS.WriteStream);
  frame.draw('one\ntwo\n');
  resize(200);
  frame.draw('three\n');
  expect(shown()).toEqual(['$ hosted-runner status --watch', 'three']);
});

test('a kept frame has no ^C below it, which the terminal has echoed', async () => {
  const { shown, print, stream } = open(() => []);
  const frame = await openFrame(stream as unknown as NodeJS.WriteStream);
  frame.draw('one\n');
  stream.write('^C');
  frame.keep();
  print('$');
  expect(shown()).toEqual(['one', '$']);
});

test('a closed picture draws nothing, whatever follows', async () => {
  const { line, shown, drawn, resize, stream } = open(() => ['head']);
  line.refresh();
  await drawn();
  line.close();
  line.refresh();
  resize(40);
  expect(shown()).toEqual([]);
  expect(stream.listenerCount('resize')).toBe(0);
});

test('a picture that closes before its library is loaded draws nothing', async () => {
  const { line, shown } = open(() => ['head']);
  line.refresh();
  line.close();
  await import('log-update');
  await new Promise((resolve) => setImmediate(resolve));
  expect(shown()).toEqual([]);
});

test('a picture never takes more rows than the terminal has', async () => {
  const { line, shown, drawn } = open(filling, { columns: 80, rows: 4 });
  line.show('Waiting: a job.', 0);
  await drawn();
  expect(shown()).toHaveLength(2);
  line.close();
});

test('a notice stands above the picture, and the wait continues below it', async () => {
  const { line, shown, drawn, print } = open(() => ['head']);
  line.show('Waiting: a job.', 0);
  await drawn();
  line.aside(() => print('! GitLab is silent.'));
  expect(shown()).toEqual(['! GitLab is silent.', 'head', '  Waiting: a job. (0s)']);
  line.close();
  line.aside(() => print('plain'));
  expect(shown()).toEqual(['! GitLab is silent.', 'plain']);
});

test('a notice during a frame stands above it', async () => {
  const { shown, print, stream } = open(() => []);
  const frame = await openFrame(stream as unknown as NodeJS.WriteStream);
  frame.draw('one\ntwo');
  frame.aside(() => print('! GitLab is silent.'));
  expect(shown()).toEqual(['! GitLab is silent.', 'one', 'two']);
  frame.draw('three');
  frame.keep();
  frame.aside(() => print('plain'));
  expect(shown()).toEqual(['! GitLab is silent.', 'three', 'plain']);
});
