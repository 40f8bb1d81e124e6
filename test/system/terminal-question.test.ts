import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { promptOperator } from '../../src/adapters/system/terminal-question.ts';
import { questionOf } from '../../src/app/question.ts';
import { typing } from '../support/typing.ts';

/** Opens a terminal in which keys are typed one by one, including ^C and ^D. */
function openTerminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const cancel = new AbortController();
  const answer = promptOperator('Type pink to go on: ', {
    input,
    output,
    signal: cancel.signal,
    onInterrupt: () => cancel.abort(new Error('received SIGINT')),
  });
  return { input, output, cancel, answer };
}

describe('a question at the terminal', () => {
  test('returns a line', async () => {
    const { input, output, answer } = openTerminal();
    input.write('pink\r');
    expect(await answer).toBe('pink');
    expect(String(output.read())).toContain('Type pink to go on: ');
  });

  test('returns no line if the input ends', async () => {
    const { input, answer } = openTerminal();
    input.write('\u0004');
    expect(await answer).toBeUndefined();
  });

  test('ends with ^C as with a signal', async () => {
    const { input, answer } = openTerminal();
    input.write('\u0003');
    await expect(answer).rejects.toThrow('received SIGINT');
  });

  test('ends with a signal that arrives while it is open, or before', async () => {
    const { cancel, answer } = openTerminal();
    cancel.abort(new Error('received SIGTERM'));
    await expect(answer).rejects.toThrow('received SIGTERM');
    const late = promptOperator('Type pink to go on: ', {
      input: new PassThrough(),
      output: new PassThrough(),
      signal: cancel.signal,
      onInterrupt: () => {},
    });
    await expect(late).rejects.toThrow('received SIGTERM');
  });

  test('counts as a cancellation of its command, not as a bug, if ^C ends it', async () => {
    const { input, cancel, answer } = openTerminal();
    const prompted = async () => (await answer) ?? '';
    const program = { prompt: prompted, signal: cancel.signal, typed: typing('recover') };
    const prompt = questionOf(program, { command: 'recover --method cleanup', runner: 'linux' });
    input.write('\u0003');
    await expect(prompt?.('Type pink to go on: ')).rejects.toMatchObject({
      code: 'Cancelled',
      exitCode: 130,
      fields: { what: 'recover --method cleanup was cancelled.' },
    });
  });
});
