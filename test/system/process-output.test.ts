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

describe('an output stream', () => {
  test('writes completely', async () => {
    const { output, written } = open();
    output.write('Paused runner 48213.\n');
    expect({ written, failure: await output.failure() }).toEqual({
      written: ['Paused runner 48213.\n'],
      failure: undefined,
    });
    expect(output.lost.aborted).toBe(false);
  });

  test.each([['EPIPE'], ['EIO']])(
    'causes no error if its reader has gone (%s), and is written no further',
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

  test('causes one warning on a full disk, and the run continues', async () => {
    const { output } = open({ throws: 'ENOSPC' });
    output.write('Paused runner 48213.\n');
    output.write('Drained pink.\n');
    expect(await output.failure()).toBe('ENOSPC');
  });
});
