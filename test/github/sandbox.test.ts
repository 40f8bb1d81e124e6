import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSandboxGitHub, type SandboxGitHub } from './sandbox-github.ts';

let sandbox: SandboxGitHub;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
});
afterEach(() => sandbox.close());

const route = 'POST /orgs/acme/actions/runners/generate-jitconfig';
const asked = { name: 'pink-linux-i-0123456789abcdef0', labels: ['linux'], runner_group_id: 1 };

/** Who registers by a token, as `config.sh` does. */
async function arrive(name: string, replace = false): Promise<string> {
  const { client, github } = sandbox;
  const answer = await client.request('POST /orgs/acme/actions/runners/registration-token');
  const { token } = answer.data as { token: string };
  return github.runnerSide.register({ token, name, labels: ['linux'], replace }).credential;
}

describe('a runner made just in time', () => {
  test('is listed offline, has its labels, and leaves with its only job', async () => {
    const { client, github } = sandbox;
    const { data } = await client.request(route, asked);
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
    ['404 for a group that is not there', { name: 'another', runner_group_id: 7 }, 404],
    ['422 without a label', { name: 'another', labels: [] }, 422],
  ])('is refused with %s', async (_, changes, status) => {
    const { client } = sandbox;
    await client.request(route, asked);
    await expect(client.request(route, { ...asked, ...changes })).rejects.toMatchObject({ status });
  });
});

describe('a name that is taken', () => {
  test('is refused, unless the host takes its own place', async () => {
    await arrive('pink-linux-i-0123456789abcdef0');
    await expect(arrive('pink-linux-i-0123456789abcdef0')).rejects.toThrow('already exists');
    await arrive('pink-linux-i-0123456789abcdef0', true);
    expect(sandbox.github.runners()).toHaveLength(1);
  });

  test('is never taken from a runner that has a job', async () => {
    const { github } = sandbox;
    const credential = await arrive('pink-linux-i-0123456789abcdef0');
    github.submitJob({ labels: ['linux'], script: ['sleep 60'] });
    github.runnerSide.take(credential);
    await expect(arrive('pink-linux-i-0123456789abcdef0', true)).rejects.toThrow('already exists');
  });
});

describe('as unkind as GitHub is', () => {
  const name = 'pink-linux-i-0123456789abcdef0';

  test('who takes another one’s place has its id, and still gets jobs of the labels that were', async () => {
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

  test('a job that was given and not taken up goes to another runner after a minute', async () => {
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

  test('a job that was taken up stays where it is', async () => {
    const { github, clock } = sandbox;
    const first = await arrive(name);
    const second = await arrive('pink-linux-i-0123456789abcdef1');
    const { jobId } = github.submitJob({ labels: ['linux'], script: ['true'] });
    github.runnerSide.take(first);
    github.runnerSide.heartbeat({ credential: first, jobId });
    await clock.sleep(120_000);
    expect(github.runnerSide.take(second)).toBeUndefined();
  });

  test('409 to the cancel of a run that has completed', async () => {
    const { client, github } = sandbox;
    const credential = await arrive(name);
    const { runId, jobId } = github.submitJob({ labels: ['linux'], script: ['true'] });
    github.runnerSide.take(credential);
    github.runnerSide.finish({ credential, jobId, conclusion: 'success' });
    const cancel = client.request('POST /repos/acme/app/actions/runs/{id}/cancel', { id: runId });
    await expect(cancel).rejects.toMatchObject({ status: 409 });
  });
});
