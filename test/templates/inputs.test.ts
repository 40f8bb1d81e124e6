import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { listLeaves } from '../../src/config/leaf.ts';
import { findTemplate, templates } from '../../src/config/template-inputs.ts';
import { renderIncludable, renderTemplate as withHeader } from '../../src/config/template-text.ts';
import { version } from '../../src/config/version.ts';
import { readTemplateText, renderTemplate, templateNames } from './configuration.ts';
import { interpolate, readTemplate } from './interpolation.ts';
import { findUnquoted } from './quoting.ts';

const every = templateNames.map((name) => [name, readTemplate(readTemplateText(name))] as const);
const strings = every.flatMap(([template, { inputs }]) =>
  Object.entries(inputs).flatMap(([name, { type, regex = '', ...rest }]) =>
    type === undefined || type === 'string' ? [{ template, name, regex, ...rest }] : [],
  ),
);

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

/** What people really write. */
const ordinary: Record<string, readonly string[]> = {
  runner_name: ['linux', 'arm-large-2'],
  stage: ['deploy', '.post', 'Deploy runners'],
  job_prefix: ['', 'arm:', 'linux-'],
  image: ['registry.example.com:5005/tools/runner@sha256:0123abcd', '$CI_REGISTRY/a:1'],
  canary_image: ['alpine:3', '$CI_DEPENDENCY_PROXY_GROUP_IMAGE_PREFIX/alpine:3'],
  config: ['hosted-runners.yml', 'infrastructure/runners.yml'],
  job_timeout: ['90m', '2 hours', '1h 30m'],
  drain_job_timeout: ['12 hours', '1 day 6 hours'],
  environment: ['hosted-runner', 'production/runners'],
  aws_role_arn: ['', 'arn:aws-us-gov:iam::123456789012:role/ci/deploy'],
  aws_region: ['', 'eu-central-1', 'us-gov-west-1'],
  aws_audience: ['sts.amazonaws.com', 'https://gitlab.example.com'],
  canary_evidence: ['off', 'optional', 'required'],
};

/** Of keys of the configuration, by their unit. */
const ordinaryKeys: Record<string, readonly string[]> = {
  duration: ['', '45m', '1h30m', '12h'],
  url: ['', 'https://gitlab.example.com', 'https://example.com:8443/gitlab'],
  text: ['', 'infrastructure', './infra/runners', 'infra/{runner_name}/{shard}'],
};

const keys = listLeaves().filter(({ facts }) => facts.faces.includes('template'));

function ordinaryOf(name: string): readonly string[] | undefined {
  const leaf = keys.find(({ path }) => path.join('_') === name);
  if (leaf === undefined) return ordinary[name];
  const none =
    leaf.schema.safeParse('none').success && leaf.facts.unit === 'duration' ? ['none'] : [];
  return [...(ordinaryKeys[leaf.facts.unit ?? 'text'] ?? []), ...none];
}

/** `^a|b$` is anchored at one end only; within a group it would be at both. */
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
      expect(regex).not.toMatch(/\(\?[=!<]|\\[1-9]|\\u/);
      for (const [, most = '0'] of regex.matchAll(/\{\d+,(\d+)\}/g)) {
        expect(Number(most)).toBeLessThanOrEqual(1000);
      }
    },
  );

  test.each(strings)('$template: $name refuses what could be more than a value', ({ regex }) => {
    expect(hostile.filter((text) => new RegExp(regex).test(text))).toEqual([]);
  });

  test.each(strings)('$template: $name takes what people write, its default among it', (input) => {
    const wanted = [
      ...(ordinaryOf(input.name) ?? []),
      ...(input.default === undefined ? [] : [String(input.default)]),
    ];
    expect(wanted.filter((text) => !new RegExp(input.regex).test(text))).toEqual([]);
    expect(ordinaryOf(input.name)).toBeDefined();
  });

  test('that are keys of the configuration take nothing that the program refuses', () => {
    for (const leaf of keys) {
      const taken = (ordinaryOf(leaf.path.join('_')) ?? []).filter((text) => text !== '');
      expect(taken.filter((text) => !leaf.schema.safeParse(text).success)).toEqual([]);
    }
  });
});

describe('inputs', () => {
  test.each(every)('of %s are described, and each is used', (_, { inputs, body }) => {
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

  test('that are missing or of another type are refused', () => {
    const render = (inputs: Record<string, unknown>) => () => renderTemplate('deploy', { inputs });
    expect(render({ runner_tags: ['a'] })).toThrow('runner_name: required value');
    expect(render({ runner_name: 'linux' })).toThrow('runner_tags: required value');
    expect(render({ runner_name: 'linux', runner_tags: 'a' })).toThrow('is not a array');
    expect(render({ runner_name: 'Linux', runner_tags: ['a'] })).toThrow('required RegEx pattern');
  });
});

describe.each(['template', 'include'])('every %s.yml', (file) => {
  test.each(templateNames)(
    'of %s quotes what is inserted, and inserts nothing into a script',
    (name) => {
      expect(findUnquoted(readTemplateText(name, file))).toEqual([]);
    },
  );

  test.each(templateNames)('of %s has no keyword that reaches beyond its jobs', (name) => {
    const keys = Object.keys(parse(readTemplate(readTemplateText(name, file)).body));
    expect(
      keys.filter((key) => !/^\.?\$\[\[ inputs\.job_prefix \]\]hosted_runner_/.test(key)),
    ).toEqual([]);
  });

  test.each(templateNames)('of %s lets no variable be expanded that an input is in', (name) => {
    const text = readTemplate(readTemplateText(name, file)).body;
    const lines = text.split('\n').filter((line) => /^ {4}[A-Z_]+:.*\$\[\[/.test(line));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => !line.endsWith(', expand: false }'))).toEqual([]);
  });

  test.each(templateNames)('of %s is what the sources make of it', (name) => {
    const text = readTemplateText(name);
    const made = file === 'template' ? withHeader(name, text) : renderIncludable(name, text);
    expect(readTemplateText(name, file)).toBe(made);
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

describe('a release', () => {
  const image = (text: string, component?: Record<string, string | null>) =>
    parse(
      interpolate(text, {
        inputs: { runner_name: 'linux', runner_tags: ['a'] },
        ...(component && { component }),
      }),
    );

  test("takes the image of the component's own version, which other ways to include it cannot know", () => {
    const included = image(readTemplateText('deploy'), { version: '1.2.3' })[
      '.hosted_runner_stage'
    ];
    expect(included.image).toMatch(/:\$COMPONENT_VERSION$/);
    expect(included.variables.COMPONENT_VERSION.value).toBe('1.2.3');
    expect(() => image(readTemplateText('deploy'))).toThrow(
      'unknown interpolation key: component.version',
    );
    const other = image(readTemplateText('deploy', 'include'))['.hosted_runner_stage'];
    expect(other.variables.COMPONENT_VERSION.value).toBe(version);
  });

  test('has templates for what the sources describe', () => {
    expect(templates.map(({ name }) => name)).toEqual(templateNames);
    expect(() => findTemplate('deplyo')).toThrow('There is no template "deplyo".');
  });
});
