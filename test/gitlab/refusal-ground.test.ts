import { expect, test } from '@jest/globals';
import { findGround } from '../../src/adapters/gitlab/refusal-ground.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';

const granular = (rest: string) => ({
  error: 'insufficient_granular_scope',
  error_description: `Access denied: Your Personal Access Token lacks the required permissions: ${rest}`,
});
const denied = (sentence: string) => ({
  error: 'insufficient_granular_scope',
  error_description: `Access denied: ${sentence}`,
});
const needs = (rest: string) =>
  `This operation requires a fine-grained personal access token with the following ${rest}`;
const limit = (of: string) => ({ message: `400 Bad request - Runner namespaces base ${of}` });
const group = 'Maximum number of ci registered group runners (50) exceeded';

test.each([
  [403, granular('[create_runner].'), 'create_runner', undefined],
  [
    403,
    granular('[read_job, retry_job] for "acme/runners".'),
    'read_job, retry_job',
    'acme/runners',
  ],
  [
    403,
    granular(`[${'read_runner, '.repeat(40)}read_job].`),
    expect.stringContaining('…'),
    undefined,
  ],
  [403, granular('see the documentation'), undefined, undefined],
  [403, denied(needs('user permissions: [Runner: Create].')), 'Runner: Create', 'the user'],
  [
    403,
    denied(needs('group permissions: [CI/CD Setting: Read, Runner: Delete].')),
    'CI/CD Setting: Read, Runner: Delete',
    'the group',
  ],
  [
    403,
    denied(needs('personal projects permissions: [Job: Run].')),
    'Job: Run',
    'the personal projects',
  ],
  [
    403,
    [{ message: `Access denied: ${needs('project permissions: [Job: Read].')}` }],
    'Job: Read',
    'the project',
  ],
])('%i %j names the missing permissions', (status, body, permissions, place) => {
  expect(findGround({ status, body: JSON.stringify(body) }, createRedactor())).toEqual({
    kind: 'missing_permission',
    permissions,
    place,
  });
});

test.each([
  ["This operation doesn't support fine-grained personal access tokens.", 'call'],
  ["This operation doesn't support fine-grained group access tokens.", 'call'],
  ['Fine-grained personal access tokens are not yet supported.', 'user'],
])('the refusal "%s" means that a classic token is required', (sentence, of) => {
  const body = JSON.stringify(denied(sentence));
  expect(findGround({ status: 403, body }, createRedactor())).toEqual({
    kind: 'no_fine_grained_token',
    of,
  });
});

test.each([
  [limit(group), 'group', 50],
  [limit('Maximum number of ci registered project runners (51) exceeded'), 'project', 51],
  [limit('maximum number of Ci registered Group runners (0) exceeded'), 'group', 0],
  [
    {
      message: 'Runner projects base Maximum number of ci registered project runners (50) exceeded',
    },
    'project',
    50,
  ],
  [{ message: { runner_namespaces: [group] } }, 'group', 50],
  [{ error: group }, 'group', 50],
  [limit('Maximum number of registered project runners (1000) exceeded'), 'project', 1000],
  [{ message: { base: [group] } }, 'group', 50],
])('%j names the limit of runners', (body, place, most) => {
  expect(findGround({ status: 400, body: JSON.stringify(body) }, createRedactor())).toEqual({
    kind: 'runner_limit',
    place,
    most,
  });
});

test.each([
  [403, { message: '403 Forbidden' }],
  [403, { error: 'insufficient_scope', scope: 'api' }],
  [401, granular('[create_runner].')],
  [403, limit(group)],
  [400, { message: 'Maximum number of registered deploy keys (50) exceeded' }],
  [404, { message: '404 Not found' }],
])('%i %j names neither', (status, body) => {
  expect(findGround({ status, body: JSON.stringify(body) }, createRedactor())).toBeUndefined();
});
