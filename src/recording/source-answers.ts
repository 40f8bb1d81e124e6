import type { KnownAnswers } from './answer-knowledge.ts';

/**
 * What the data does not have, because it is of GitLab's REST alone: our questions to GraphQL, all
 * of a runner. Read in GitLab's source, `app/graphql/types/ci/runner_type.rb` of 15.10 to 18.x; that it
 * is the same in 19.x is assumed.
 */
export const knownBySource: Readonly<Record<string, KnownAnswers>> = {
  'POST /api/graphql': {
    version: 'by its source, app/graphql/types/ci/runner_type.rb (not in the data)',
    goodStatus: 200,
    unlike: differencesInGraphQl,
    // GraphQL's own word for a token that opens nothing.
    refusals: [{ status: 401, body: { errors: [{ message: 'Invalid token' }] } }],
  },
};

const words = ['IDLE', 'ACTIVE'];
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function differencesInGraphQl(answer: unknown): readonly string[] {
  if (!isObject(answer)) return ['it is no object'];
  const { data, errors } = answer;
  if (errors !== undefined) return ['errors, where it is known to have every field that is asked'];
  if (!isObject(data)) return ['fewer fields: data.runner'];
  // One runner by its own name, several as `r0`, `r1`.
  const runners = Object.entries(data).filter(([name]) => /^(?:runner|r\d+)$/.test(name));
  if (runners.length === 0) return ['fewer fields: data.runner'];
  return runners.flatMap(([name, runner]) => {
    // Who may not read the runner, and a runner that is gone.
    if (runner === null) return [];
    if (!isObject(runner)) return [`data.${name} is no object`];
    return Object.entries(runner).flatMap(([field, value]) => differenceOf(field, value));
  });
}

function differenceOf(name: string, value: unknown): readonly string[] {
  const shown = JSON.stringify(value);
  switch (name) {
    case 'jobExecutionStatus':
      return words.some((word) => word === value)
        ? []
        : [`${name} is ${shown} instead of ${words.join(' or ')}`];
    case 'projectCount':
      return value === null || typeof value === 'number'
        ? []
        : [`${name} is ${shown} instead of a number or null`];
    case 'id':
      return typeof value === 'string' ? [] : [`${name} is ${shown} instead of a text`];
    case 'paused':
    case 'runUntagged':
      return typeof value === 'boolean' ? [] : [`${name} is ${shown} instead of true or false`];
    case 'tagList':
      return Array.isArray(value) ? [] : [`${name} is ${shown} instead of a list`];
    case 'description':
    case 'maintenanceNote':
      return value === null || typeof value === 'string'
        ? []
        : [`${name} is ${shown} instead of a text or null`];
    case 'contactedAt':
    case 'tokenExpiresAt':
      return value === null || typeof value === 'string'
        ? []
        : [`${name} is ${shown} instead of a time or null`];
    case 'ownerProject':
      return value === null || (isObject(value) && typeof value['id'] === 'string')
        ? []
        : [`${name} is ${shown} instead of an object with an id or null`];
    default:
      return [`more fields: ${name}`];
  }
}
