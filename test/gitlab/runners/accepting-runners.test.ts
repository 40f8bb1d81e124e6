import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { GITLAB_VERSIONS } from '../../../sandbox/gitlab/answers/versions.ts';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import type { Service } from '../../../src/domain/health/service-verdict.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import type { HostReport } from '../../../src/ports/runner-host.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { watchService } from '../../../src/stages/observe/shard/service-watch.ts';
import { stackShard } from '../../contract/registry-world.ts';
import { purple, recordAt } from '../../domain/samples.ts';
import { stackSettings } from '../../fakes/builders.ts';
import { runnerClient } from '../../sandbox/gitlab/protocol/runner-client.ts';
import { versions } from '../answers/known-answers.ts';
import { createSandboxGitLab, type SandboxGitLab } from '../sandbox-gitlab.ts';

const minute = 60_000;
const scope = { kind: 'group', groupId: 10 } as const;

test('every supported version with recorded responses is tested here', () => {
  expect(versions.slice(versions.indexOf('17.5'))).toEqual([...GITLAB_VERSIONS]);
});

/**
 * Runs the availability check with each version's responses, through the production adapter.
 * Without a fault, the result is never unknown.
 */
describe.each(GITLAB_VERSIONS.map((version) => [version] as const))('GitLab %s', (version) => {
  let gitlab: SandboxGitLab;
  let id: RegistrationId;
  let runner: ReturnType<typeof runnerClient>;
  let other: ReturnType<typeof runnerClient>;
  let answered: number;
  let logged: Service['kind'][];
  beforeEach(async () => {
    gitlab = createSandboxGitLab(version);
    const made = await registry().create({
      shard: stackShard('purple', 'linux'),
      settings: { ...stackSettings().registration, scope },
      tags: ['linux'],
      note: 'hosted-runner-deploy: 1-200',
    });
    id = made.id;
    runner = runnerClient(gitlab.world, made.token, { systemId: 's_one' });
    other = runnerClient(gitlab.world, made.token, { systemId: 's_other' });
    [answered, logged] = [0, []];
    expect((await runner.request()).status).toBe(204);
  });
  afterEach(() => gitlab.world.close());

  function registry() {
    return createGitLabRegistry({ client: gitlab.client, scope });
  }

  /**
   * Watches a shard whose host, if accessible, reports a running process, and its requests if
   * counted.
   */
  function watch({
    access,
    counts,
    systemId,
    requestsOf,
  }: {
    access: 'run_command' | 'none';
    counts: boolean;
    systemId?: string;
    requestsOf?: () => NonNullable<HostReport['requestsOf']>;
  }) {
    const usual = stackSettings();
    const settings: StackSettings = { ...usual, host: { ...usual.host, access } };
    const report = (): HostReport => ({
      kind: 'report',
      process: 'running',
      restarts: true,
      ready: 'ready',
      jobs: [],
      log: [],
      ...(systemId === undefined ? {} : { systemId }),
      ...(requestsOf === undefined ? {} : { requestsOf: requestsOf() }),
      ...(counts ? { requests: { answered, refused: 0, slots: 4 } } : {}),
    });
    const { clock } = gitlab.world;
    const context = {
      settings,
      journal: {
        version: () => 1,
        current: () => recordAt({ phase: 'promoted' }, { [purple]: { registration: id } }),
      },
      log: { event: ({ service }: { service: Service }) => logged.push(service.kind) },
      ports: {
        registry: registry(),
        clock: { now: () => clock.now(), elapsed: () => clock.now() },
        host: {
          list: async () => [{ id: 'i-0abc', agent: 'online' }],
          look: async () => report(),
        },
        instances: { list: async () => [{ id: 'i-0abc', state: 'running' }] },
      },
    } as unknown as StageContext;
    return watchService(context, purple);
  }

  /** Starts a customer job now, and finishes it with `ends`. */
  async function takeJob(ends: boolean): Promise<void> {
    gitlab.world.gitlab.submitJob({ project: 'acme/app', tags: ['linux'], script: ['true'] });
    const { status, body } = await runner.request();
    expect(status).toBe(201);
    if (!ends) return;
    await runner.update(body, 'success');
  }

  test('an idle runner accepts jobs if its requests get a response', async () => {
    const judge = watch({ access: 'run_command', counts: true });
    // The first check has no earlier one to compare with.
    await judge.check();
    for (let poll = 0; poll < 10; poll += 1) {
      gitlab.world.clock.advance(minute);
      expect((await runner.request()).status).toBe(204);
      answered += 1;
      expect(await judge.check()).toMatchObject({ kind: 'proven' });
    }
  });

  test('requests of another runner in the same process prove nothing', async () => {
    const of = (registration: string) => ({
      registration,
      requests: { answered, refused: registration === id ? refused : 0 },
    });
    let refused = 3;
    const judge = watch({
      access: 'run_command',
      counts: false,
      requestsOf: () =>
        [of('48000'), of(id)].map((one) =>
          one.registration === id && refused > 0
            ? { ...one, requests: { answered: 0, refused } }
            : one,
        ),
    });
    for (let poll = 0; poll < 3; poll += 1) {
      answered += 5;
      expect(await judge.check()).toMatchObject({ kind: 'unknown', against: true });
      gitlab.world.clock.advance(5000);
    }
    refused = 0;
    for (let poll = 0; poll < 2; poll += 1) {
      answered += 5;
      gitlab.world.clock.advance(5000);
      await judge.check();
    }
    expect(logged.at(-1)).toBe('proven');
    // No source reports which of the two runners is the shard's.
    const watched = watch({
      access: 'run_command',
      counts: false,
      requestsOf: () => [of('48000'), of('')].map(({ requests }) => ({ requests })),
    });
    for (let poll = 0; poll < 3; poll += 1) {
      answered += 5;
      expect(await watched.check()).toMatchObject({
        kind: 'unknown',
        against: false,
        reason: expect.stringContaining(
          `on i-0abc, the process has several runners, and its report does not identify runner ${id}`,
        ),
      });
      gitlab.world.clock.advance(5000);
    }
  });

  test('a runner without requests in a process with several runners stays unknown', async () => {
    const judge = watch({
      access: 'run_command',
      counts: false,
      requestsOf: () => [
        { registration: '48000', requests: { answered, refused: 0 } },
        { registration: id, requests: { answered: 0, refused: 0 } },
      ],
    });
    for (let poll = 0; poll < 3; poll += 1) {
      answered += 5;
      expect(await judge.check()).toMatchObject({
        kind: 'unknown',
        against: false,
        reason: expect.stringContaining(
          `on i-0abc, the process has several runners, and has counted no response to runner ${id}`,
        ),
        missing: expect.stringContaining(`that GitLab answers the requests of runner ${id} itself`),
      });
      gitlab.world.clock.advance(5000);
    }
  });

  test.each([
    ['runs', false, 'run_command'],
    ['has ended', true, 'run_command'],
    ['still runs, on a host without access', false, 'none'],
    ['has ended, on a host without access', true, 'none'],
  ] as const)(
    'a job that began on the shard and %s proves the shard for half an hour',
    async (_, ends, access) => {
      await takeJob(ends);
      const judge = watch({ access, counts: false });
      for (const waits of [0, 1, 14, 14]) {
        gitlab.world.clock.advance(waits * minute);
        expect(await judge.check()).toMatchObject({ kind: 'proven' });
      }
      expect(logged).toEqual(['proven', 'proven', 'proven', 'proven']);
    },
  );

  test('a job proves the manager that it started on, and no other running manager', async () => {
    expect((await other.request()).status).toBe(204);
    await takeJob(true);
    const options = { access: 'run_command', counts: false } as const;
    const [its, others] = ['s_one', 's_other'].map((systemId) => watch({ ...options, systemId }));
    for (const waits of [2, 12, 14]) {
      gitlab.world.clock.advance(waits * minute);
      expect(await its?.check()).toMatchObject({ kind: 'proven' });
      expect(await others?.check()).toMatchObject({
        kind: 'unknown',
        reason: expect.stringContaining('started, on no running manager'),
      });
    }
    // A job that the runner takes proves it.
    gitlab.world.gitlab.submitJob({ project: 'acme/app', tags: ['linux'], script: ['true'] });
    expect((await other.request()).status).toBe(201);
    expect(await others?.check()).toMatchObject({ kind: 'proven' });
  });

  test('a runner that was paused, quarantined or removed accepts no job', async () => {
    const judge = watch({ access: 'run_command', counts: true });
    await registry().setIntake(id, 'closed');
    await judge.check();
    await registry().setIntake(id, 'open');
    await registry().route(id, { tags: ['canary-1-2-linux'], runUntagged: false });
    await judge.check();
    await registry().retire(id);
    await judge.check();
    expect(logged).toEqual(['closed', 'closed', 'closed']);
  });
});
