import { graphqlNames } from '../adapters/gitlab/runners/graphql-runners.ts';
import { runnerInBoth } from '../adapters/gitlab/runners/rest-runner.ts';
import type { KnownAnswers } from './answer-knowledge.ts';
import { isObject } from './difference.ts';

/**
 * Known responses to this program's GraphQL queries about a runner, which the REST data lacks.
 * Source: GitLab's `app/graphql/types/ci/runner_type.rb` of 15.10 to 18.x. For 19.x, the same is
 * assumed.
 */
export const knownBySource: Readonly<Record<string, KnownAnswers>> = {
  'POST /api/graphql': {
    version: 'according to its source, app/graphql/types/ci/runner_type.rb (not in the data)',
    goodStatus: 200,
    unlike: differencesInGraphQl,
    // GraphQL's message for an invalid token.
    refusals: [{ status: 401, body: { errors: [{ message: 'Invalid token' }] } }],
  },
};

type Known = readonly [isKnown: (value: unknown) => boolean, expected: string];

const words = ['IDLE', 'ACTIVE'];
const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const fields: ReadonlyMap<string, Known> = new Map<string, Known>([
  ...Object.entries(graphqlNames).map(([name, rest]) => [name, asRead(rest)] as const),
  ['jobExecutionStatus', [(value) => words.some((word) => word === value), words.join(' or ')]],
  ['projectCount', [(value) => value === null || typeof value === 'number', 'a number or null']],
  ['id', [isText, 'a text']],
  ['tokenExpiresAt', [isTextOrNull, 'a time or null']],
  ['ownerProject', [hasId, 'an object with an id or null']],
]);

/** Derives the types of a field that REST also has from its schema. */
function asRead(name: string): Known {
  const isRead = (value: unknown) => runnerInBoth.partial().safeParse({ [name]: value }).success;
  const kinds = Object.entries({ 'a text': '', 'true or false': true, 'a list': [], null: null });
  const read = kinds.filter(([, value]) => isRead(value)).map(([kind]) => kind);
  const expected = read.join(' or ');
  return [isRead, name.endsWith('_at') ? expected.replace('text', 'time') : expected];
}

function differencesInGraphQl(answer: unknown): readonly string[] {
  if (!isObject(answer)) return ['it is not an object'];
  const { data, errors } = answer;
  if (errors !== undefined) return ['errors, although it is known to have every requested field'];
  if (!isObject(data)) return ['fewer fields: data.runner'];
  // A single runner has its own name, several are named `r0`, `r1`.
  const runners = Object.entries(data).filter(([name]) => /^(?:runner|r\d+)$/.test(name));
  if (runners.length === 0) return ['fewer fields: data.runner'];
  return runners.flatMap(([name, runner]) => {
    // The runner is gone, or the token may not read it.
    if (runner === null) return [];
    if (!isObject(runner)) return [`data.${name} is not an object`];
    return Object.entries(runner).flatMap(([field, value]) => differenceOf(field, value));
  });
}

function hasId(value: unknown): boolean {
  return value === null || (isObject(value) && isText(value['id']));
}

function differenceOf(name: string, value: unknown): readonly string[] {
  const [isKnown, expected] = fields.get(name) ?? [];
  if (isKnown === undefined) return [`more fields: ${name}`];
  return isKnown(value) ? [] : [`${name} is ${JSON.stringify(value)} instead of ${expected}`];
}
