import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { githubAnswers } from './github-answers.ts';
import { gitlabAnswers } from './gitlab-answers.ts';
import type { SampleAnswer } from './sample-answer.ts';

const answers: Readonly<Record<string, Readonly<Record<string, SampleAnswer>>>> = {
  gitlab: gitlabAnswers,
  github: githubAnswers,
};
// Texts of hosted-runner itself may be read strictly. The recording's table names only schemas.
const ownFiles = ['fleet.ts', 'github-answers.ts', 'gitlab-answers.ts'];

async function sourcesOf(folder: string): Promise<[string, string][]> {
  const place = `src/adapters/${folder}`;
  const files = (await readdir(place, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const read = files
    .filter((file) => !ownFiles.includes(basename(file)))
    .map(async (file) => [file, await readFile(`${place}/${file}`, 'utf8')] as [string, string]);
  return Promise.all(read);
}

async function schemasOf(folder: string): Promise<Record<string, z.ZodType>> {
  const found: Record<string, z.ZodType> = {};
  for (const [file] of await sourcesOf(folder)) {
    const module = (await import(`../../src/adapters/${folder}/${file}`)) as Record<
      string,
      unknown
    >;
    for (const [name, value] of Object.entries(module))
      if (value instanceof z.ZodType) found[`${basename(file)} ${name}`] = value;
  }
  return found;
}

describe.each(Object.keys(answers))('%s', (folder) => {
  const samples = answers[folder] ?? {};

  test('every schema that reads a response is tested here', async () => {
    const schemas = await schemasOf(folder);
    expect(Object.keys(samples).toSorted()).toEqual(Object.keys(schemas).toSorted());
    const hidden = (await sourcesOf(folder)).flatMap(([, text]) => hiddenIn(text));
    expect(hidden).toEqual([]);
  });

  test.each(Object.keys(samples))('%s reads the response', async (name) => {
    const schema = (await schemasOf(folder))[name] as z.ZodType;
    const { answer, needed } = samples[name] as SampleAnswer;
    const plain = schema.parse(answer);
    expect(schema.parse(withMore(answer))).toEqual(plain);
    const refused = Object.entries({ ...changesOf(answer) })
      .filter(([, changed]) => !schema.safeParse(changed).success)
      .map(([change]) => change);
    const may = (change: string) => needed.some((path) => change === `${path} missing`);
    expect(refused.filter((change) => !may(change) && !isNull(change, needed))).toEqual([]);
    // Every field in `needed` is required.
    expect(needed.filter((path) => !refused.includes(`${path} missing`))).toEqual([]);
  });
});

/** Lists unexported schemas that are no part of another schema in the file. */
function hiddenIn(text: string): string[] {
  const constants = [...text.matchAll(/^(export )?const (\w+) = ([\s\S]*?);$(?!\n[ })\]])/gm)];
  const parts = (name: string) => new RegExp(`(?<![.\\w])${name}\\b(?!:)`);
  const kept = constants.filter(
    ([whole, exported, name = '', value = '']) =>
      exported === undefined &&
      /^(?:z|\w+)\s*\.(?:object|array|extend|pick|omit|partial|record|preprocess)\(/.test(value) &&
      !constants.some(([other]) => other !== whole && parts(name).test(other)),
  );
  const inline = text.match(/(?:readShape\(\s*|schema: |item: )z\.(?!ZodType)\w+/g) ?? [];
  return [...kept.map(([, , name = '']) => name), ...inline];
}

function isNull(change: string, needed: readonly string[]): boolean {
  return needed.some((path) => change === `${path} null`);
}

/** Adds an unknown field to every object. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, withMore(inner)]);
  return { ...Object.fromEntries(fields), a_field_of_tomorrow: { of: ['whatever'] } };
}

/**
 * Lists changes of a value, one at a time: each field missing, each null, and each text unknown.
 */
function changesOf(value: unknown, path = ''): Record<string, unknown> {
  if (Array.isArray(value)) {
    const inner = changesOf(value[0], path === '' ? '*' : `${path}.*`);
    return mapValues(inner, (changed) => [changed]);
  }
  if (typeof value === 'string') return { [`${path} another word`]: 'a word of tomorrow' };
  if (typeof value !== 'object' || value === null) return {};
  const found: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const here = path === '' ? name : `${path}.${name}`;
    const { [name]: _, ...without } = value as Record<string, unknown>;
    found[`${here} missing`] = without;
    found[`${here} null`] = { ...without, [name]: null };
    Object.assign(
      found,
      mapValues(changesOf(inner, here), (changed) => ({ ...value, [name]: changed })),
    );
  }
  return found;
}

function mapValues(
  record: Record<string, unknown>,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
