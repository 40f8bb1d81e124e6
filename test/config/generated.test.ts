import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { generators } from '../../generate/configuration/generators.ts';
import { renderJsonSchema } from '../../generate/configuration/json-schema.ts';
import { renderReference } from '../../generate/configuration/reference.ts';
import { ownVariables } from '../../src/config/layers/variable-names.ts';
import { keyTable } from '../../src/domain/keys/key-table.ts';
import { renderDeploymentEnv } from '../../src/report/report-files.ts';
import { runOutputs } from '../../src/report/run-outputs.ts';
import { reportProvision } from '../report/running.ts';
import { root } from '../support/program.ts';
import { example, minimal, problemsOf, withKeys } from './loading.ts';

const accepts = new Ajv({ strict: true, allowUnionTypes: true }).compile(
  JSON.parse(renderJsonSchema()),
);

describe('generated files', () => {
  test.each(generators.map((generator) => [generator.path, generator] as const))(
    '%s matches its generator',
    (path, generator) => {
      expect(readFileSync(join(root, path), 'utf8')).toBe(generator.render());
    },
  );
});

describe('the JSON Schema', () => {
  test.each([
    ['the example', example],
    ['the smallest file', minimal],
    ['sections that are empty', withKeys('drain:', 'host:')],
    ['no limit', withKeys('drain: {timeout: none}')],
  ])('accepts %s', async (_name, text) => {
    expect(await problemsOf({ text })).toEqual([]);
    expect(accepts(parse(text))).toBe(true);
  });

  test.each([
    ['an unknown key', withKeys('drain: {timeot: 3m}')],
    ['an unknown section', `${minimal}defalts: {}\n`],
    ['a duration without a unit', withKeys('drain: {timeout: 15}')],
    ['a word as a duration', withKeys('drain: {timeout: abc}')],
    ['a wrong choice', withKeys('canary: {kind: maybe}')],
    ['an unknown driver', withKeys('infrastructure: {driver: teraform}')],
    ['a tag with a space', withKeys('registration: {tags: ["a b"]}')],
    ['three shards', withKeys('shards: [a, b, c]')],
    ['a stack with a bad name', `${minimal}  Big_One: {}\n`],
    ['plain http', withKeys('gitlab: {url: "http://gitlab.example.com"}')],
    ['another version', minimal.replace('1', '2')],
    ['no stacks', 'version: 1\n'],
    ['a prefix without the name', withKeys('parameter_prefix: /a/b/')],
  ])('refuses %s, as the program does', async (_name, text) => {
    expect(await problemsOf({ text })).not.toEqual([]);
    expect(accepts(parse(text))).toBe(false);
  });

  test('explains every key', () => {
    const schema = renderJsonSchema();
    for (const leaf of keyTable) {
      expect(schema).toContain(JSON.stringify(leaf.description).slice(1, -1));
    }
  });

  test('contains no internal field of the key table', () => {
    expect(renderJsonSchema()).not.toMatch(/"(?:faces|otherwise|unit)"/);
  });
});

test('the reference has a row for every key and variable', () => {
  const reference = renderReference();
  for (const leaf of keyTable) expect(reference).toContain(`| \`${leaf.name}\` |`);
  for (const { name } of ownVariables) expect(reference).toContain(`| \`${name}\` |`);
});

test('the configuration accepts every variable that a run passes to later jobs', () => {
  const known: readonly string[] = ownVariables.map(({ name }) => name);
  const lines = renderDeploymentEnv(reportProvision()).matchAll(/^(\w+)=/gm);
  const names = Object.keys(runOutputs(reportProvision()));
  expect([...lines].map(([, name]) => name).filter((name) => !known.includes(name ?? ''))).toEqual(
    [],
  );
  expect(names.filter((name) => !known.includes(`HOSTED_RUNNER_${name.toUpperCase()}`))).toEqual(
    [],
  );
});
