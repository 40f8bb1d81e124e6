import { describe, expect, test } from '@jest/globals';
import { explainCode } from '../../../src/cli/help/explain.ts';
import { refusal } from '../../config/loading.ts';
import { readCatalogue } from '../../docs/catalogue.ts';
import { read } from '../../structure/tree.ts';

async function explain(options: { code?: string; json?: boolean }): Promise<string> {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  expect(await explainCode({ json: false, ...options }, { write })).toBe(0);
  return text;
}

const codes = readCatalogue().map(({ code }) => code);
const sections = new Map(
  read('docs/troubleshooting.md')
    .split(/^#{2,3} /m)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

/** Returns the texts between code marks: field names, keys and commands. */
function codeMarksIn(text: string): string[] {
  return [...text.matchAll(/`[^`\n]+`/g)].map(([mark]) => mark);
}

describe('explain', () => {
  test.each(codes)('accepts %s', async (code) => {
    expect(await explain({ code })).toMatch(/^\w+\n {2}Exit code \d+\. {1,2}Means: /);
  });

  test('accepts a code in any case, and prints no markup except code marks', async () => {
    const text = await explain({ code: 'draintimedout' });
    expect(text).toMatch(/^DrainTimedOut\n {2}Exit code 1\./);
    expect(text).toContain('`drain.timeout`');
    expect(text).not.toMatch(/\*\*|\]\(/);
  });

  test.each(codes)('keeps every code mark of the page of %s', async (code) => {
    const text = await explain({ code });
    expect(codeMarksIn(text)).toEqual(codeMarksIn(sections.get(code) ?? ''));
  });

  test('lists every code with its meaning', async () => {
    const lines = (await explain({})).trimEnd().split('\n');
    expect(lines.length).toBe(readCatalogue().length);
    expect(lines.every((line) => /^\w+: \S/.test(line))).toBe(true);
  });

  test('prints the code and its text as JSON', async () => {
    expect(JSON.parse(await explain({ code: 'LockLost', json: true }))).toEqual({
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

  test('suggests the code that was probably meant', async () => {
    const error = await refusal(() => explain({ code: 'DrainTimeOut' }));
    expect(error?.fields).toMatchObject({
      what: 'No error has the code "DrainTimeOut".',
      fix: [
        'Did you mean: hosted-runner explain DrainTimedOut',
        'List all codes: hosted-runner explain',
      ],
    });
  });
});
