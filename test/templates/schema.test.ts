import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { canaryTag } from '../../src/adapters/canary/canary-tag.ts';
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
import { interpolate, readTemplate } from './interpolation.ts';

const canaryProject = 'examples/canary-project/.gitlab-ci.yml';
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

  test.each(exampleNames)('accepts the example %s, as written and as rendered', (name) => {
    expect(problemsOf(readExample(name))).toEqual([]);
    expect(problemsOf(renderExample(name))).toEqual([]);
  });

  test.each(['.gitlab-ci.yml', '.gitlab/publish.gitlab-ci.yml'])(
    "accepts the project's own %s",
    (path) => {
      expect(problemsOf(parse(readFileSync(join(root, path), 'utf8')))).toEqual([]);
    },
  );

  test("accepts the canary project's pipeline, whose one job requests the given tag", () => {
    const text = readFileSync(join(root, canaryProject), 'utf8');
    const { inputs } = readTemplate(text);
    const tag = canaryTag('acme/runners-7', 'linux large');
    expect(Object.keys(inputs)).toEqual(['canary_tag']);
    expect(tag).toMatch(new RegExp(String(inputs['canary_tag']?.regex)));
    const jobs = parse(interpolate(text, { inputs: { canary_tag: tag } }));
    expect(problemsOf(jobs)).toEqual([]);
    expect(jobs).toEqual({ canary: expect.objectContaining({ tags: [tag] }) });
  });

  // GitLab parses YAML with Psych, for which a bare `off`, `no` or `1:30` is no text.
  test.each([
    ...templateNames.map((name) => `templates/${name}/template.yml`),
    ...exampleNames.map((name) => `examples/gitlab/${name}.gitlab-ci.yml`),
    canaryProject,
    '.gitlab-ci.yml',
    '.gitlab/publish.gitlab-ci.yml',
  ])('reads no word of %s differently as YAML 1.1', (path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const read = (version: '1.1' | '1.2') =>
      parseAllDocuments(text, { version }).map((document) => document.toJS());
    expect(read('1.1')).toEqual(read('1.2'));
  });

  test('refuses a misspelt keyword', () => {
    expect(problemsOf({ job: { script: ['true'], whan: 'manual' } })).not.toEqual([]);
  });
});
