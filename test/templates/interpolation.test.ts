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

describe('on every version of GitLab that is promised', () => {
  test.each(onEach)(
    '%s on %s has a pipeline, with nothing but what has to be given',
    (name, gitlab) => {
      expect(renderTemplate(name, { inputs: of(name), gitlab })).toEqual(
        renderTemplate(name, { inputs: of(name) }),
      );
    },
  );

  test.each(templateNames)('%s is the same by every way to include it', (name) => {
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
    'with an empty default and a pattern has no pipeline on %s',
    (gitlab) => {
      const refused = 'a: default value does not match required RegEx pattern';
      expect(() => interpolate(empty, { gitlab })).toThrow(refused);
      expect(() => interpolate(empty, { gitlab, inputs: { a: 'x' } })).toThrow(refused);
    },
  );

  test('that is given empty is held against its pattern on 18.0, and by it from 18.1', () => {
    const text = each('{ default: x, regex: "^(?:x)?$" }');
    const given = (gitlab: GitLabVersion) => () => interpolate(text, { gitlab, inputs: { a: '' } });
    expect(given('18.0')).toThrow('a: provided value does not match required RegEx pattern');
    expect(given('18.1')()).toBe('a: ""\n');
    expect(interpolate(empty, { gitlab: '18.1' })).toBe('a: ""\n');
  });

  test('that is not known, not given, of another type or no option is refused', () => {
    expect(() => interpolate(each('{}'), {})).toThrow('a: required value has not been provided');
    expect(() => interpolate(each('{}'), { inputs: { b: '' } })).toThrow('unknown input: b');
    expect(() => interpolate(each('{}'), { inputs: { a: 1 } })).toThrow(
      'a: provided value is not a string',
    );
    expect(() => interpolate(each('{ options: [x] }'), { inputs: { a: 'y' } })).toThrow(
      'a: provided value is not one of the options',
    );
  });

  test('of a keyword that GitLab does not know is refused', () => {
    expect(() => interpolate(each('{ pattern: x }'), {})).toThrow(
      'a: config contains unknown keys: pattern',
    );
  });
});

describe('the version of the component', () => {
  const text =
    'spec:\n  component: [version]\n  inputs: {}\n---\nimage: "a:$[[ component.version ]]"\n';
  test.each([['main'], ['0.1.0']])(
    'is nothing at %s outside of a catalogue, and nothing is written null',
    (reference) => {
      expect(interpolate(text, { component: { version: null, reference } })).toBe(
        'image: "a:null"\n',
      );
    },
  );

  test('is not offered by other ways to include, and not known before 18.6', () => {
    expect(() => interpolate(text, {})).toThrow('unknown interpolation key: component.version');
    expect(() => interpolate(text, { gitlab: '17.5', component: { version: '0.1.0' } })).toThrow(
      'header:spec config contains unknown keys: component',
    );
  });
});

describe('what is inserted', () => {
  test('is raw text, and a list as JSON', () => {
    expect(interpolate(each('{}'), { inputs: { a: 'x" y: "z' } })).toBe('a: "x" y: "z"\n');
    const list = each('{ type: array }', 'a: $[[ inputs.a ]]\n');
    expect(interpolate(list, { inputs: { a: [{ if: '$A == "b"' }] } })).toBe(
      'a: [{"if":"$A == \\"b\\""}]\n',
    );
  });

  test('is limited in functions, in bytes of a block, and in blocks', () => {
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
    '%s is none of RE2',
    (pattern) => {
      expect(() => matchesRe2(pattern, 'a')).toThrow('invalid regular expression');
    },
  );
});
