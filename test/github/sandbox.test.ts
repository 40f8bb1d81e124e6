import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { listRunners } from '../../src/adapters/github/runners/runners.ts';
import { createSandboxGitHub, type SandboxGitHub } from './sandbox-github.ts';

let sandbox: SandboxGitHub;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
});
afterEach(() => sandbox.close());

const route = 'POST /orgs/acme/actions/runners/generate-jitconfig';
const body = { name: 'pink-linux-i-0123456789abcdef0', labels: ['linux'], runner_group_id: 1 };

/** Registers a runner by a token, like `config.sh`. */
async function arrive(name: string, replace = false): Promise<string> {
  const { client, github } = sandbox;
  const answer = await client.request('POST /orgs/acme/actions/runners/registration-token');
  const { token } = answer.data as { token: string };
  return github.runnerSide.register({ token, name, labels: ['linux'], replace }).credential;
}

describe('a just-in-time runner', () => {
  test('appears offline, has its labels, and leaves with its only job', async () => {
    const { client, github } = sandbox;
    const { data } = await client.request(route, body);
    const made = data as { runner: object; encoded_jit_config: string };
    expect(made.runner).toMatchObject({ status: 'offline', ephemeral: true, busy: false });
    const { credential } = JSON.parse(Buffer.from(made.encoded_jit_config, 'base64').toString());
    const { jobId } = github.submitJob({ labels: ['linux'], script: ['true'] });
    expect(github.runnerSide.take(credential)).toMatchObject({ id: jobId });
    github.runnerSide.finish({ credential, jobId, conclusion: 'success' });
    expect(github.runners()).toEqual([]);
  });

  test.each([
    ['409 for a name that exists', {}, 409],
    ['404 for a missing group', { name: 'another', runner_group_id: 7 }, 404],
    ['422 without a label', { name: 'another', labels: [] }, 422],
  ])('causes %s', async (_, changes, status) => {
    const { client } = sandbox;
    await client.request(route, body);
    await expect(client.request(route, { ...body, ...changes })).rejects.toMatchObject({ status });
  });
});

describe('a runner name already in use', () => {
  test('causes a refusal, unless the host replaces its own runner', async () => {
    await arrive('pink-linux-i-0123456789abcdef0');
    await expect(arrive('pink-linux-i-0123456789abcdef0')).rejects.toThrow('already exists');
    await arrive('pink-linux-i-0123456789abcdef0', true);
    expect(sandbox.github.runners()).toHaveLength(1);
  });

  test('never replaces a runner that has a job', async () => {
    const { github } = sandbox;
    const credential = await arrive('pink-linux-i-0123456789abcdef0');
    github.submitJob({ labels: ['linux'], script: ['sleep 60'] });
    github.runnerSide.take(credential);
    await expect(arrive('pink-linux-i-0123456789abcdef0', true)).rejects.toThrow('already exists');
  });
});

describe('the unfriendly behaviour of GitHub', () => {
  const name = 'pink-linux-i-0123456789abcdef0';

  test('a replaced runner keeps its id, and still gets jobs of its former labels', async () => {
    const { client, github } = sandbox;
    await arrive(name);
    const before = github.runners()[0];
    const answer = await client.request('POST /orgs/acme/actions/runners/registration-token');
    const { token } = answer.data as { token: string };
    const { id, credential } = github.runnerSide.register({
      token,
      name,
      labels: ['other'],
      replace: true,
    });
    expect(github.runners()).toMatchObject([{ id: before?.id, labels: ['other'] }]);
    expect(id).toBe(before?.id);
    const { jobId } = github.submitJob({ labels: ['linux'], script: ['true'] });
    expect(github.runnerSide.take(credential)).toMatchObject({ id: jobId });
  });

  test('a job that a runner did not start goes to another runner after a minute', async () => {
    const { github, clock } = sandbox;
    const first = await arrive(name);
    const second = await arrive('pink-linux-i-0123456789abcdef1');
    const { jobId } = github.submitJob({ labels: ['linux'], script: ['true'] });
    github.runnerSide.take(first);
    await clock.sleep(59_000);
    expect(github.runnerSide.take(second)).toBeUndefined();
    await clock.sleep(2_000);
    expect(github.runnerSide.take(second)).toMatchObject({ id: jobId });
    expect(github.runnerSide.heartbeat({ credential: first, jobId })).toEqual({ cancel: true });
    expect(() =>
      github.runnerSide.finish({ credential: first, jobId, conclusion: 'success' }),
    ).toThrow('Conflict');
  });

  test('a job that a runner started stays with the runner', async () => {
    const { github, clock } = sandbox;
    const first = await arrive(name);
    const second = await arrive('pink-linux-i-0123456789abcdef1');
    const { jobId } = github.submitJob({ labels: ['linux'], script: ['true'] });
    github.runnerSide.take(first);
    github.runnerSide.heartbeat({ credential: first, jobId });
    await clock.sleep(120_000);
    expect(github.runnerSide.take(second)).toBeUndefined();
  });

  test('the cancellation of a completed run returns 409', async () => {
    const { client, github } = sandbox;
    const credential = await arrive(name);
    const { runId, jobId } = github.submitJob({ labels: ['linux'], script: ['true'] });
    github.runnerSide.take(credential);
    github.runnerSide.finish({ credential, jobId, conclusion: 'success' });
    const cancel = client.request('POST /repos/acme/app/actions/runs/{id}/cancel', { id: runId });
    await expect(cancel).rejects.toMatchObject({ status: 409 });
  });

  test('a changed label takes effect a moment later; until then the former one counts', async () => {
    const { client, github, clock } = sandbox;
    const credential = await arrive(name);
    const [runner] = github.runners();
    const changed = { runner_id: runner?.id, labels: ['other'] };
    await client.request('PUT /orgs/acme/actions/runners/{runner_id}/labels', changed);
    const { jobId: late } = github.submitJob({ labels: ['linux'], script: ['true'] });
    expect(github.runnerSide.take(credential)).toMatchObject({ id: late });
    github.runnerSide.finish({ credential, jobId: late, conclusion: 'success' });
    await clock.sleep(4000);
    github.submitJob({ labels: ['linux'], script: ['true'] });
    const { jobId } = github.submitJob({ labels: ['other'], script: ['true'] });
    expect(github.runnerSide.take(credential)).toMatchObject({ id: jobId });
  });

  test('a runner disappears after 14 days offline, and an ephemeral one after a day', async () => {
    const { client, github, clock } = sandbox;
    const { data } = await client.request(route, body);
    const { credential } = JSON.parse(
      Buffer.from((data as { encoded_jit_config: string }).encoded_jit_config, 'base64').toString(),
    );
    const persistent = await arrive('pink-linux-i-0123456789abcdef1');
    await clock.sleep(86_400_000);
    expect(() => github.runnerSide.take(credential)).toThrow('registration has been deleted');
    expect(github.runnerSide.take(persistent)).toBeUndefined();
    await clock.sleep(14 * 86_400_000);
    const listed = await client.request('GET /orgs/acme/actions/runners');
    expect(listed.data).toEqual({ total_count: 0, runners: [] });
  });

  test('a version before 2.329 cannot register', async () => {
    const { client, github } = sandbox;
    const answer = await client.request('POST /orgs/acme/actions/runners/registration-token');
    const { token } = answer.data as { token: string };
    const arrival = { token, name, labels: [], version: '2.328.0' };
    expect(() => github.runnerSide.register(arrival)).toThrow('RUNNER UPDATE REQUIRED');
  });

  test('a runner that leaves between two pages shifts the list, and the adapter misses none', async () => {
    const { client, github } = sandbox;
    const names = Array.from({ length: 130 }, (_, index) => `other-${index}`);
    for (const one of names) await arrive(one);
    await arrive(name);
    github.leave(['other-3', 'other-5']);
    const page = (number: number) =>
      client.request('GET /orgs/acme/actions/runners', { per_page: 100, page: number });
    const read = [await page(1), await page(2)].map(
      ({ data }) => (data as { runners: { name: string }[] }).runners,
    );
    expect(read.flat().map((one) => one.name)).not.toContain('other-100');
    const listed = await listRunners(client, { kind: 'organization', organization: 'acme' });
    const left = [...names.filter((one) => !['other-3', 'other-5'].includes(one)), name];
    expect(listed.map((one) => one.name)).toEqual(left);
  });

  test('a new App token is refused, first as unknown and then as lacking the permission', async () => {
    const { github, clientOf, clock } = sandbox;
    const app = await clientOf({ kind: 'app', ...github.app() });
    const { data } = await app.request('GET /orgs/acme/actions/runners');
    expect(data).toEqual({ total_count: 0, runners: [] });
    expect(clock.elapsed()).toBe(3000);
    const other = await clientOf({ kind: 'app', ...github.app(), installationId: 8 });
    await expect(other.request('GET /orgs/acme/actions/runners')).rejects.toMatchObject({
      status: 404,
    });
  });

  test('an App with a replaced key is refused', async () => {
    const { github, clientOf } = sandbox;
    const before = github.app();
    github.app();
    const app = await clientOf({ kind: 'app', ...before });
    await expect(app.request('GET /orgs/acme/actions/runners')).rejects.toMatchObject({
      kind: 'unauthenticated',
    });
  });
});
