import { describe, expect, test } from '@jest/globals';
import {
  exampleNames,
  readTemplateText,
  renderExample,
  renderTemplate,
  templateNames,
} from './configuration.ts';
import { type GitLabVersion, gitlabVersions } from './gitlab-version.ts';
import { interpolate } from './interpolation.ts';
import { matchesRe2 } from './re2.ts';

const each = (input: string, body = 'a: "$[[ inputs.a ]]"\n') =>
  `spec:\n  inputs:\n    a: ${input}\n---\n${body}`;
const of = (name: string) =>
  name === 'deploy' || name === 'recover'
    ? { runner_name: 'linux', runner_tags: ['operations'] }
    : { runner_names: ['linux'], runner_tags: ['operations'] };
const onEach = gitlabVersions.flatMap((gitlab) =>
  templateNames.map((name) => [name, gitlab] as const),
);

describe('the templates on every supported version of GitLab', () => {
  test.each(onEach)('%s on %s has a pipeline with only the required inputs', (name, gitlab) => {
    expect(renderTemplate(name, { inputs: of(name), gitlab })).toEqual(
      renderTemplate(name, { inputs: of(name) }),
    );
  });

  test.each(templateNames)('%s gives the same result for every way of include', (name) => {
    const text = readTemplateText(name);
    const component = { name, sha: '0123abcd', version: null, reference: 'main' };
    expect(interpolate(text, { inputs: of(name), component })).toBe(
      interpolate(text, { inputs: of(name) }),
    );
    expect(interpolate(text, { inputs: of(name), component })).not.toContain('null');
  });

  test.each(
    exampleNames.flatMap((name) => gitlabVersions.map((gitlab) => [name, gitlab] as const)),
  )('the example %s on %s has a pipeline', (name, gitlab) => {
    expect(Object.keys(renderExample(name, gitlab)).length).toBeGreaterThan(5);
  });
});

describe('an input', () => {
  const empty = each('{ default: "", regex: "^(?:x)?$" }');
  test.each(['17.5', '18.0'] as const)(
    'causes an error if its default is empty and it has a pattern on %s',
    (gitlab) => {
      const refused = 'a: default value does not match required RegEx pattern';
      expect(() => interpolate(empty, { gitlab })).toThrow(refused);
      expect(() => interpolate(empty, { gitlab, inputs: { a: 'x' } })).toThrow(refused);
    },
  );

  test('causes an error if it is empty and its pattern refuses that on 18.0, and none from 18.1', () => {
    const text = each('{ default: x, regex: "^(?:x)?$" }');
    const given = (gitlab: GitLabVersion) => () => interpolate(text, { gitlab, inputs: { a: '' } });
    expect(given('18.0')).toThrow('a: provided value does not match required RegEx pattern');
    expect(given('18.1')()).toBe('a: ""\n');
    expect(interpolate(empty, { gitlab: '18.1' })).toBe('a: ""\n');
  });

  test('causes an error if it is unknown, missing, of another type or no option', () => {
    expect(() => interpolate(each('{}'), {})).toThrow('a: required value has not been provided');
    expect(() => interpolate(each('{}'), { inputs: { b: '' } })).toThrow('unknown input: b');
    expect(() => interpolate(each('{}'), { inputs: { a: 1 } })).toThrow(
      'a: provided value is not a string',
    );
    expect(() => interpolate(each('{ options: [x] }'), { inputs: { a: 'y' } })).toThrow(
      'a: provided value is not one of the options',
    );
  });

  test('causes an error if it has a keyword that GitLab does not know', () => {
    expect(() => interpolate(each('{ pattern: x }'), {})).toThrow(
      'a: config contains unknown keys: pattern',
    );
  });
});

describe('the version of the component', () => {
  const text =
    'spec:\n  component: [version]\n  inputs: {}\n---\nimage: "a:$[[ component.version ]]"\n';
  test.each([['main'], ['0.1.0']])('becomes null at %s outside a catalogue', (reference) => {
    expect(interpolate(text, { component: { version: null, reference } })).toBe(
      'image: "a:null"\n',
    );
  });

  test('does not exist with other ways of include, and before 18.6', () => {
    expect(() => interpolate(text, {})).toThrow('unknown interpolation key: component.version');
    expect(() => interpolate(text, { gitlab: '17.5', component: { version: '0.1.0' } })).toThrow(
      'header:spec config contains unknown keys: component',
    );
  });
});

describe('an inserted value', () => {
  test('stays raw text, and a list becomes JSON', () => {
    expect(interpolate(each('{}'), { inputs: { a: 'x" y: "z' } })).toBe('a: "x" y: "z"\n');
    const list = each('{ type: array }', 'a: $[[ inputs.a ]]\n');
    expect(interpolate(list, { inputs: { a: [{ if: '$A == "b"' }] } })).toBe(
      'a: [{"if":"$A == \\"b\\""}]\n',
    );
  });

  test('must stay within the limits of functions, bytes of a block, and blocks', () => {
    const body = (text: string) => () => interpolate(each('{ default: x }', text), {});
    expect(body('$[[ inputs.a | b | c | d | e ]]')).toThrow('too many functions');
    expect(body(`$[[ inputs.a${' '.repeat(1024)} ]]`)).toThrow('maximum interpolation expression');
    const many = Array.from(
      { length: 10_001 },
      (_, at) => `$[[ inputs.a${' '.repeat(at % 500)}${'\t'.repeat(at / 500)} ]]`,
    );
    expect(body(many.join('\n'))).toThrow('too many interpolation blocks');
  });
});

describe('a pattern', () => {
  test('ends with the text, not with a line', () => {
    expect(matchesRe2('^a$', 'a\n')).toBe(false);
    expect(matchesRe2('^a$', 'b\na')).toBe(false);
  });

  test.each(['a(?=b)', '(?<!a)b', '(a)\\1', 'a{1001}', 'a{2,1001}', 'a++'])(
    '%s is not RE2',
    (pattern) => {
      expect(() => matchesRe2(pattern, 'a')).toThrow('invalid regular expression');
    },
  );
});
