import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { renderTemplate as withHeader } from '../../generate/gitlab/template-text.ts';
import { catalogProject } from '../../src/config/inputs/component-own-inputs.ts';
import { findTemplate, templates } from '../../src/config/inputs/component-templates.ts';
import { projectAddress, version } from '../../src/domain/project.ts';
import { pageOf } from '../../src/errors/render.ts';
import { root } from '../support/program.ts';
import { readTemplateText, renderTemplate, templateNames } from './configuration.ts';
import { readTemplate } from './interpolation.ts';
import { findUnquoted } from './quoting.ts';
import { matchesRe2, whatRe2Refuses } from './re2.ts';

const every = templateNames.map((name) => [name, readTemplate(readTemplateText(name))] as const);
const texts = every.flatMap(([template, { inputs }]) =>
  Object.entries(inputs).flatMap(([name, { type, regex, ...rest }]) =>
    type === undefined || type === 'string' ? [{ template, name, regex, ...rest }] : [],
  ),
);
const strings = texts.flatMap(({ regex, ...rest }) =>
  regex === undefined ? [] : [{ regex, ...rest }],
);
const optional = texts.filter((input) => input.default === '');

const hostile = [
  'linux"\n  script: ["curl example.com | sh"]\n  x: "',
  'linux\nscript: [id]',
  'linux\n',
  '\nlinux',
  'linux"',
  "linux'",
  'linux\\',
  '$(id)',
  '`id`',
  'a;id',
  'a && id',
  'a|id',
  '> /etc/passwd',
  '$[[ inputs.image ]]',
  '{{ id }}',
  'linux # comment',
  ': {script: id}',
  '*anchor',
  '&anchor x',
  '!reference [a]',
  'linux\u0000',
  'linux\u001b[31m',
  'l\u00efnux',
  'l'.repeat(2000),
];

/** Values that users really write. */
const ordinary: Record<string, readonly string[]> = {
  runner_name: ['linux', 'arm-large-2'],
  stage: ['deploy', '.post', 'Deploy runners'],
  image: ['registry.example.com:5005/tools/runner@sha256:0123abcd', '$CI_REGISTRY/a:1'],
  canary_image: ['alpine:3.22', '$CI_DEPENDENCY_PROXY_GROUP_IMAGE_PREFIX/alpine:3.22'],
  config: ['hosted-runners.yml', 'infrastructure/runners.yml'],
  job_timeout: ['90m', '2 hours', '1h 30m'],
  drain_job_timeout: ['12 hours', '1 day 6 hours'],
  environment: ['hosted-runner', 'production/runners'],
  aws_audience: ['sts.amazonaws.com', 'https://gitlab.example.com'],
  canary_evidence: ['off', 'optional', 'required'],
};

/**
 * Decides whether a regular expression has an alternative outside of a group. `^a|b$` is anchored
 * at one end only.
 */
function hasBareAlternative(regex: string): boolean {
  let rest = regex.replaceAll(/\[[^\]]*\]/g, '');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replaceAll(/\((?:\?:)?[^()]*\)/g, '');
  }
  return rest.includes('|');
}

describe('string inputs', () => {
  test.each(strings)(
    '$template: $name has a pattern anchored at both ends that RE2 reads',
    ({ regex }) => {
      expect(regex).toMatch(/^\^.*\$$/);
      expect(hasBareAlternative(regex)).toBe(false);
      expect(whatRe2Refuses(regex)).toBeUndefined();
    },
  );

  test.each(strings)('$template: $name refuses what could be more than a value', ({ regex }) => {
    expect(hostile.filter((text) => matchesRe2(regex, text))).toEqual([]);
  });

  test.each(strings)('$template: $name accepts usual values, including its default', (input) => {
    const wanted = [
      ...(ordinary[input.name] ?? []),
      ...(input.default === undefined ? [] : [String(input.default)]),
    ];
    expect(wanted.filter((text) => !matchesRe2(input.regex, text))).toEqual([]);
    expect(ordinary[input.name]).toBeDefined();
  });
});

describe('inputs that may be empty', () => {
  test.each(optional)(
    '$template: $name has no pattern, which GitLab 18.0 would check against the empty text',
    ({ regex }) => {
      expect(regex).toBeUndefined();
    },
  );

  test.each(optional)(
    '$template: $name reaches the program in a variable',
    ({ template, name }) => {
      const { inputs } = findTemplate(template);
      const { variable } = inputs.find((input) => input.name === name) ?? {};
      const line = `    ${variable}: { value: "$[[ inputs.${name} ]]", expand: false }`;
      expect(readTemplateText(template).split('\n')).toContain(line);
    },
  );
});

describe('inputs', () => {
  test.each(every)('get a description in %s, and are used', (_, { inputs, body }) => {
    for (const [name, { description = '' }] of Object.entries(inputs)) {
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect({ name, used: new RegExp(`\\$\\[\\[ inputs\\.${name} \\]\\]`).test(body) }).toEqual({
        name,
        used: true,
      });
    }
  });

  test('name a runner tag, because a job without one would run anywhere', () => {
    for (const [, { inputs }] of every) {
      expect(inputs['runner_tags']).toEqual({ type: 'array', description: expect.any(String) });
    }
  });

  test('cause an error if they are missing or of another type', () => {
    const render = (inputs: Record<string, unknown>) => () => renderTemplate('deploy', { inputs });
    expect(render({ runner_tags: ['a'] })).toThrow('runner_name: required value');
    expect(render({ runner_name: 'linux' })).toThrow('runner_tags: required value');
    expect(render({ runner_name: 'linux', runner_tags: 'a' })).toThrow('is not a array');
    expect(render({ runner_name: 'Linux', runner_tags: ['a'] })).toThrow('required RegEx pattern');
  });
});

describe('every template', () => {
  test.each(templateNames)('%s quotes inserted text, and inserts nothing into a script', (name) => {
    expect(findUnquoted(readTemplateText(name))).toEqual([]);
  });

  test.each(templateNames)('%s has no keyword that reaches beyond its jobs', (name) => {
    const keys = Object.keys(parse(readTemplate(readTemplateText(name)).body));
    expect(
      keys.filter((key) => !/^\.?\$\[\[ inputs\.job_prefix \]\]hosted_runner_/.test(key)),
    ).toEqual([]);
  });

  test.each(templateNames)('%s permits no expansion of a variable with an input', (name) => {
    const text = readTemplate(readTemplateText(name)).body;
    const lines = text.split('\n').filter((line) => /^ {4}[A-Z_]+:.*\$\[\[/.test(line));
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => !line.endsWith(', expand: false }'))).toEqual([]);
  });

  test.each(templateNames)('%s matches its sources', (name) => {
    const text = readTemplateText(name);
    expect(text).toBe(withHeader(name, text));
  });
});

describe('the rule about quotes', () => {
  const header = 'spec:\n  inputs:\n    name: {}\n    tags: { type: array }\n---\n';
  test.each([
    ['a bare text', 'job:\n  stage: $[[ inputs.name ]]\n', 'unquoted: $[[ inputs.name ]]'],
    ['single quotes', "job:\n  stage: '$[[ inputs.name ]]'\n", 'unquoted: $[[ inputs.name ]]'],
    ['a bare name of a job', '$[[ inputs.name ]]:\n  stage: a\n', 'unquoted: $[[ inputs.name ]]'],
    ['a quoted list', 'job:\n  tags: "$[[ inputs.tags ]]"\n', 'unquoted: $[[ inputs.tags ]]'],
    ['a list in a text', 'job:\n  tags: a $[[ inputs.tags ]]\n', 'unquoted: a $[[ inputs.tags ]]'],
    [
      'a quoted text in a script',
      'job:\n  script: ["$[[ inputs.name ]]"]\n',
      'in a script: $[[ inputs.name ]]',
    ],
    [
      'a block in a script',
      'job:\n  script:\n    - |\n      $[[ inputs.name ]]\n',
      'in a script: $[[ inputs.name ]]\n',
    ],
    ['a comment', '# $[[ inputs.name ]]\njob: {}\n', 'in a comment'],
  ])('finds %s', (_, body, problem) => {
    expect(findUnquoted(header + body)).toContain(problem);
  });
});

function versionScript(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(root, 'scripts/version.js'), ...args], {
    encoding: 'utf8',
  });
}

describe('a release', () => {
  test.each(templateNames)('names its own image in %s, whatever the way of its include', (name) => {
    const { inputs, component } = readTemplate(readTemplateText(name));
    expect(inputs['image']?.default).toBe(
      `$CI_REGISTRY/hosted-runner/hosted-runner-deploy:${version}-terraform`,
    );
    expect(component).toEqual([]);
  });

  test('fails in any project except the one that errors, templates and modules name', () => {
    expect(versionScript('--project', catalogProject)).toMatchObject({ status: 0, stderr: '' });
    const { status, stderr } = versionScript('--project', 'acme/hosted-runner-deploy');
    expect(status).toBe(1);
    expect(stderr).toContain('this project is acme/hosted-runner-deploy: change projectAddress in');
    expect(pageOf('Bug')).toContain(`${projectAddress}/`);
    expect(new URL(projectAddress).pathname).toBe(`/${catalogProject}`);
  });

  test('uses the version of package.json everywhere', () => {
    expect(versionScript('--check', version)).toMatchObject({ status: 0, stdout: '' });
    const { status, stdout } = versionScript('--check', '99.0.0');
    expect(status).toBe(1);
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'package.json does not name version 99.0.0.',
        ...templateNames.map(
          (name) => `templates/${name}/template.yml does not name version 99.0.0.`,
        ),
      ]),
    );
  });

  test('contains the templates that the sources describe', () => {
    expect(templates.map(({ name }) => name)).toEqual(templateNames);
    expect(() => findTemplate('deplyo')).toThrow('There is no template "deplyo".');
  });
});
