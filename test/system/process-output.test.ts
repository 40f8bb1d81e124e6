import { describe, expect, test } from '@jest/globals';
import { createOutput } from '../../src/adapters/system/process-output.ts';

function open({ throws }: { throws?: string } = {}) {
  const written: string[] = [];
  const listeners: ((error: NodeJS.ErrnoException) => void)[] = [];
  const output = createOutput({
    write(text, done) {
      done?.();
      if (text === '') return;
      if (throws !== undefined) throw failure(throws);
      written.push(text);
    },
    on: (_, listener) => listeners.push(listener),
  });
  const fail = (code: string) => {
    for (const listener of listeners) listener(failure(code));
  };
  return { output, written, fail };
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: write`), { code });
}

describe('an output', () => {
  test('writes, and nothing is missing', async () => {
    const { output, written } = open();
    output.write('Paused runner 48213.\n');
    expect({ written, failure: await output.failure() }).toEqual({
      written: ['Paused runner 48213.\n'],
      failure: undefined,
    });
    expect(output.lost.aborted).toBe(false);
  });

  test.each([['EPIPE'], ['EIO']])(
    'whose reader has left (%s) is no fault, and is written no more',
    async (code) => {
      const { output, written, fail } = open();
      fail(code);
      output.write('Paused runner 48213.\n');
      fail('ERR_STREAM_DESTROYED');
      expect({ written, failure: await output.failure() }).toEqual({
        written: [],
        failure: undefined,
      });
      expect(output.lost.aborted).toBe(true);
    },
  );

  test('on a full disk keeps nobody from working, and says what is the matter', async () => {
    const { output } = open({ throws: 'ENOSPC' });
    output.write('Paused runner 48213.\n');
    output.write('Drained pink.\n');
    expect(await output.failure()).toBe('ENOSPC');
  });
});
