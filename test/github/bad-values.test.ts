import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSandboxGitHub, type SandboxGitHub } from './sandbox-github.ts';

let sandbox: SandboxGitHub;
let run: number;
beforeAll(async () => {
  sandbox = await createSandboxGitHub();
  await sandbox.client.request(`POST ${runners}/generate-jitconfig`, runner);
  run = sandbox.github.submitJob({ labels: ['linux'], script: ['true'] }).runId;
});
afterAll(() => sandbox.close());

const runners = '/orgs/acme/actions/runners';
const groups = '/orgs/acme/actions/runner-groups';
const actions = '/repos/acme/app/actions';
const runner = { name: 'pink-linux', labels: ['linux'], runner_group_id: 1 };
const dispatch = `POST ${actions}/workflows/hosted-runner-canary.yml/dispatches`;
const inputs = { canary_label: 'canary-1', canary_id: '1' };
const many = Array.from({ length: 101 }, (_, at) => `label-${at}`);

/**
 * Requests that GitHub refuses. The responses are those of docs.github.com/rest/actions: 404 for
 * what does not exist, 409 for a name that exists, 422 for an invalid value.
 */
const rows: readonly (readonly [
  operation: string,
  bad: Readonly<Record<string, unknown>>,
  status: number,
  message: string,
])[] = [
  [`POST ${runners}/generate-jitconfig`, { ...runner }, 409, 'already exists'],
  [`POST ${runners}/generate-jitconfig`, { ...runner, name: 'n'.repeat(65) }, 422, 'Validation'],
  [`POST ${runners}/generate-jitconfig`, { ...runner, labels: many }, 422, 'Validation'],
  [`POST ${runners}/generate-jitconfig`, { name: 'n', runner_group_id: 9, labels: ['x'] }, 404, ''],
  [`GET ${runners}/999999`, {}, 404, 'Not Found'],
  [`GET ${runners}/bogus`, {}, 404, 'Not Found'],
  [`DELETE ${runners}/999999`, {}, 404, 'Not Found'],
  [`PUT ${runners}/999999/labels`, { labels: ['x'] }, 404, 'Not Found'],
  [`PUT ${runners}/301/labels`, { labels: many }, 422, 'Validation'],
  [`PUT ${runners}/301/labels`, { labels: 'x' }, 422, 'Validation'],
  [`GET ${runners}/deprecations/0.0.1`, {}, 404, 'Not Found'],
  [`GET ${groups}/999/repositories`, {}, 404, 'Not Found'],
  [`PUT ${groups}/999/runners/301`, {}, 404, 'Not Found'],
  [`PUT ${groups}/1/runners/999999`, {}, 404, 'Not Found'],
  [`POST ${actions}/workflows/bogus.yml/dispatches`, { ref: 'main', inputs }, 404, 'Not Found'],
  [dispatch, { inputs }, 422, 'Validation'],
  [dispatch, { ref: 'bogus', inputs }, 422, 'No ref found for: bogus'],
  [
    dispatch,
    { ref: 'main', inputs: { ...inputs, bogus: 'x' } },
    422,
    'Unexpected inputs provided: ["bogus"]',
  ],
  [dispatch, { ref: 'main', inputs: { canary_id: '1' } }, 422, "Required input 'canary_label'"],
  [dispatch, { ref: 'main', inputs: { canary_label: 7 } }, 422, 'Validation'],
  [`GET ${actions}/workflows/bogus.yml/runs`, {}, 404, 'Not Found'],
  [`GET ${actions}/runs/999999/jobs`, {}, 404, 'Not Found'],
  [`GET ${actions}/jobs/999999`, {}, 404, 'Not Found'],
  [`POST ${actions}/runs/999999/cancel`, {}, 404, 'Not Found'],
  ['GET /orgs/bogus/actions/runners', {}, 404, 'Not Found'],
  ['GET /repos/acme/bogus/actions/runs', {}, 404, 'Not Found'],
];

test.each(rows)('GitHub refuses %s with %j', async (operation, bad, status, message) => {
  const request = sandbox.client.request(operation, bad);
  await expect(request).rejects.toMatchObject({
    status,
    message: expect.stringContaining(message),
  });
});

test('a refused request starts no run and changes no runner', async () => {
  for (const [operation, bad] of rows)
    await sandbox.client.request(operation, bad).catch(() => undefined);
  const { data } = await sandbox.client.request(`GET ${actions}/runs`);
  expect(data).toMatchObject({ total_count: 1, workflow_runs: [{ id: run }] });
  expect(sandbox.github.runners()).toMatchObject([{ name: 'pink-linux', labels: ['linux'] }]);
});

test('a new runner has no version before its first contact', async () => {
  const { data } = await sandbox.client.request(`GET ${runners}/301`);
  expect(data).toMatchObject({ status: 'offline', version: null });
});
