import { expect, test } from '@jest/globals';
import { findGround } from '../../src/adapters/gitlab/refusal-ground.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';

const granular = (rest: string) => ({
  error: 'insufficient_granular_scope',
  error_description: `Access denied: Your Personal Access Token lacks the required permissions: ${rest}`,
});
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
])('%i %j names the missing permissions', (status, body, permissions, place) => {
  expect(findGround({ status, body: JSON.stringify(body) }, createRedactor())).toEqual({
    kind: 'missing_permission',
    permissions,
    place,
  });
});

test.each([
  [limit(group), 'group', 50],
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
