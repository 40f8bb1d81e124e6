import { afterEach, describe, expect, test } from '@jest/globals';
import { GITLAB_VERSIONS, type GitLabVersion } from '../../../sandbox/gitlab/answers/versions.ts';
import { createGitLabWorld, type GitLabWorld, MINUTE } from './gitlab-world.ts';
import { register, runnerClient } from './protocol/runner-client.ts';

let world: GitLabWorld;
afterEach(() => world.close());

const open = (version: GitLabVersion) => {
  world = createGitLabWorld(undefined, 7, { version });
};
const read = async (path: string) =>
  (await world.call('GET', path, { token: world.deployer })).body;
const took = async () => {
  const { id, token } = await register(world);
  const client = runnerClient(world, token, { systemId: 's_1', twoPhase: true });
  world.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
  return { id, token, client, job: (await client.request()).body };
};
/** Returns the value that each version has, if it changed with `first`. */
const from = <T>(first: GitLabVersion, before: T, since: T): [GitLabVersion, T][] =>
  GITLAB_VERSIONS.map((version) => [
    version,
    GITLAB_VERSIONS.indexOf(version) < GITLAB_VERSIONS.indexOf(first) ? before : since,
  ]);

describe('a runner that only verified', () => {
  test.each(from('18.7', 'never_contacted', 'online'))(
    'appears, in %s, as %s',
    async (version, status) => {
      open(version);
      const { id, token } = await register(world);
      await runnerClient(world, token, { systemId: 's_1' }).verify();
      expect((await read(`/runners/${id}`)).status).toBe(status);
      expect((await read(`/runners/${id}/managers`)).length).toBe(1);
    },
  );
});

describe('a runner whose last manager unregisters', () => {
  test.each(from('19.1', 'never_contacted', 'online'))(
    'appears, in %s, as %s',
    async (version, status) => {
      open(version);
      const { id, token } = await register(world);
      await runnerClient(world, token, { systemId: 's_1' }).request();
      await world.call('DELETE', `/runners/managers?token=${token}&system_id=s_1`);
      expect((await read(`/runners/${id}`)).status).toBe(status);
    },
  );
});

describe('a job that its runner has yet to confirm', () => {
  test.each(from('18.7', 'running', 'pending'))(
    'appears, in %s, as %s',
    async (version, status) => {
      open(version);
      const { job } = await took();
      expect((await read(`/projects/201/jobs/${job.id}`)).status).toBe(status);
    },
  );

  test('fails after an hour of repeated pending updates', async () => {
    open('19.3');
    const { client, job } = await took();
    for (let minute = 0; minute < 61; minute += 1) {
      await client.update(job, 'pending');
      world.clock.advance(MINUTE);
    }
    expect(await read(`/projects/201/jobs/${job.id}`)).toMatchObject({
      status: 'failed',
      failure_reason: 'runner_provisioning_timeout',
    });
  });
});

describe('a job that is being cancelled', () => {
  const cancel = async () => {
    const { id, client, job } = await took();
    await client.update(job, 'running');
    await world.call('POST', `/projects/201/jobs/${job.id}/cancel`, { token: world.deployer });
    return { id, job };
  };
  const queryRunner = async (id: number) => {
    const query = `{ runner(id: "gid://gitlab/Ci::Runner/${id}") { id jobExecutionStatus } }`;
    const answer = await world.gitlab.fetch(
      new Request('http://127.0.0.1:1/api/graphql', {
        method: 'POST',
        headers: { 'private-token': world.deployer, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      }),
    );
    return (await answer.json()) as { data: { runner: { jobExecutionStatus: string } } };
  };

  test.each(from('19.1', 'ACTIVE', 'IDLE'))(
    'counts in GraphQL, in %s, as %s',
    async (version, status) => {
      open(version);
      const { id } = await cancel();
      expect((await queryRunner(id)).data.runner.jobExecutionStatus).toBe(status);
    },
  );

  test.each(from('18.9', false, true))('appears in REST in %s: %s', async (version, isShown) => {
    open(version);
    const { id } = await cancel();
    expect('job_execution_status' in (await read(`/runners/${id}`))).toBe(isShown);
  });

  test.each(from('19.3', 'canceling', 'canceled'))(
    'appears, in %s, as %s after 31 minutes',
    async (version, status) => {
      open(version);
      const { job } = await cancel();
      world.clock.advance(31 * MINUTE);
      expect((await read(`/projects/201/jobs/${job.id}`)).status).toBe(status);
    },
  );
});

test('a guest with access to pipelines receives an empty job list', async () => {
  open('19.3');
  world.gitlab.showPipelinesToGuests(201);
  const { pipelineId } = world.gitlab.submitJob({ project: 201, tags: [], script: ['true'] });
  const { token } = world.gitlab.createToken({
    user: 'guest',
    scopes: ['api'],
    accessLevel: 'guest',
    project: 201,
  });
  const jobs = await world.call('GET', `/projects/201/pipelines/${pipelineId}/jobs`, { token });
  expect([jobs.status, jobs.body]).toEqual([200, []]);
});

test('a runner during maintenance is refused as if its token were invalid, and reads continue', async () => {
  open('19.3');
  const { id, token } = await register(world);
  world.faults.add({ id: 'one', service: 'gitlab', effect: { kind: 'maintenance' } });
  const client = runnerClient(world, token, { systemId: 's_1' });
  const answers = [await client.verify(), await client.request()];
  expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
    answers.map(() => [403, 'You cannot perform write operations on a read-only instance']),
  );
  expect((await read(`/runners/${id}`)).id).toBe(id);
});
