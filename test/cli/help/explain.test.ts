import { describe, expect, test } from '@jest/globals';
import { explainCode } from '../../../src/cli/help/explain.ts';
import { refusal } from '../../config/loading.ts';
import { readCatalogue } from '../../docs/catalogue.ts';

async function told(options: { code?: string; json?: boolean }): Promise<string> {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  expect(await explainCode({ json: false, ...options }, { write })).toBe(0);
  return text;
}

describe('explain', () => {
  test.each(readCatalogue().map(({ code }) => code))('knows %s', async (code) => {
    expect(await told({ code })).toMatch(/^\w+\n {2}Exit code \d+\. {1,2}Means: /);
  });

  test('takes a code in any letters, and prints no markup', async () => {
    const text = await told({ code: 'draintimedout' });
    expect(text).toMatch(/^DrainTimedOut\n {2}Exit code 1\./);
    expect(text).not.toMatch(/\*\*|`|\]\(/);
  });

  test('lists every code with what it means', async () => {
    const lines = (await told({})).trimEnd().split('\n');
    expect(lines.length).toBe(readCatalogue().length);
    expect(lines.every((line) => /^\w+: \S/.test(line))).toBe(true);
  });

  test('as JSON has the code and its text', async () => {
    expect(JSON.parse(await told({ code: 'LockLost', json: true }))).toEqual({
      schema: 2,
      pages: [
        {
          code: 'LockLost',
          text: expect.stringContaining('Exit code'),
          ref: expect.stringMatching(/^https:.*\/docs\/troubleshooting\.md#locklost$/),
        },
      ],
    });
  });

  test('names the code that was meant', async () => {
    const error = await refusal(() => told({ code: 'DrainTimeOut' }));
    expect(error?.fields).toMatchObject({
      what: 'No error has the code "DrainTimeOut".',
      fix: [
        'Did you mean this one: hosted-runner explain DrainTimedOut',
        'All codes: hosted-runner explain',
      ],
    });
  });
});
