import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { mutants } from '../mutants/mutants.ts';
import { read } from '../structure/tree.ts';
import { root } from '../support/program.ts';

const text = read('SECURITY.md');
const how = text.slice(text.indexOf('## How'), text.indexOf('## Out of scope'));
const rows = [...how.matchAll(/^\| (\*\*.*) \| (.*) \|$/gm)].map(
  ([, promise = '', tests = '']) => [promise, tests] as const,
);

describe('SECURITY.md', () => {
  test('makes promises', () => {
    expect(rows.length).toBeGreaterThanOrEqual(15);
  });

  test.each(rows)('names what keeps the promise: %s', (_, tests) => {
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  /** What is kept by no code of the program, so that none of it can be broken to see who notices. */
  const keptElsewhere: Readonly<Record<string, string>> = {
    'What runs beside credentials is pinned,': 'by files, which the test reads itself',
    'Artifacts are restricted:': 'by the templates and workflows',
    'A release needs a tag on main and an environment,': 'by the workflow that releases',
    'A job does not reach the role of its host,': 'by the Terraform module',
    'Volumes of managers and workers are encrypted,': 'by the Terraform module',
    'A runner’s token goes to GitLab by TLS,': 'by the Terraform module',
    'The bundle is reproducible.': 'by the build',
  };

  test.each(rows)('is broken in the program to see a named test notice: %s', (promise, tests) => {
    const [, title = ''] = /^\*\*(.*?)\*\*/.exec(promise.replaceAll("'", '’')) ?? [];
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    const breaking = mutants.filter((one) => one.tests?.some((path) => files.includes(path)));
    expect(breaking.length > 0 || title in keptElsewhere).toBe(true);
  });
});
