import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '../support/program.ts';
import {
  exampleNames,
  readExample,
  readTemplateText,
  renderExample,
  renderTemplate,
  templateNames,
} from './configuration.ts';
import { problemsOf } from './gitlab-schema.ts';

const mandatory = { runner_tags: ['operations'] };
const one = { ...mandatory, runner_name: 'linux' };
const several = { ...mandatory, runner_names: ['linux', 'arm'] };

describe("GitLab's CI schema", () => {
  test.each([
    ['deploy', one],
    ['deploy', { ...one, approval: true, canary: false, job_prefix: 'arm:' }],
    ['finalize', several],
    ['healthcheck', several],
    ['recover', one],
  ])('accepts the jobs of %s with %j', (name, inputs) => {
    expect(problemsOf(renderTemplate(name, { inputs }))).toEqual([]);
  });

  test.each(templateNames)('accepts the header of %s', (name) => {
    const [header] = parseAllDocuments(readTemplateText(name));
    expect(problemsOf((header as { toJS(): unknown }).toJS())).toEqual([]);
  });

  test.each(exampleNames)(
    'accepts the example %s, as it is written and as it is rendered',
    (name) => {
      expect(problemsOf(readExample(name))).toEqual([]);
      expect(problemsOf(renderExample(name))).toEqual([]);
    },
  );

  test("accepts the project's own pipeline", () => {
    expect(problemsOf(parse(readFileSync(join(root, '.gitlab-ci.yml'), 'utf8')))).toEqual([]);
  });

  test('refuses a misspelt keyword', () => {
    expect(problemsOf({ job: { script: ['true'], whan: 'manual' } })).not.toEqual([]);
  });
});
