import { expect, test } from '@jest/globals';
import { createCanaryProject } from '../../../src/adapters/gitlab/canary/canary-project.ts';
import { createCanaryJob } from '../../../src/adapters/gitlab/canary/gitlab-canary.ts';
import { cancelJobs } from '../../../src/adapters/gitlab/jobs/job-cancel.ts';
import type { RunnerScope } from '../../../src/adapters/gitlab/jobs/visibility.ts';
import { json } from '../../transport/fake-server.ts';
import { page, runner } from '../scripted-gitlab.ts';
import { id, list, one, openRegistry, shard } from './scripted-registry.ts';

const scope = { kind: 'group', groupId: 10 } as const;
const settings = { scope, accessLevel: 'not_protected', locked: false } as never;

/**
 * Meaning of each status of a refused write. A refusal has changed nothing, an outage may have.
 */
const statuses = [
  [400, 'refused', 'none', 'once'],
  [401, 'unauthenticated', 'none', 'once'],
  [403, 'denied', 'none', 'once'],
  [404, 'refused', 'none', 'once'],
  [405, 'refused', 'none', 'once'],
  [408, 'unavailable', 'unknown', 'once'],
  [409, 'refused', 'none', 'once'],
  [412, 'refused', 'none', 'once'],
  [422, 'refused', 'none', 'once'],
  [425, 'unavailable', 'unknown', 'once'],
  [429, 'throttled', 'none', 'again'],
  [500, 'unavailable', 'unknown', 'once'],
  [502, 'unavailable', 'unknown', 'once'],
  [503, 'unavailable', 'unknown', 'once'],
] as const;

const tag = 'canary-101-7-linux';
const job = {
  id: 9,
  name: 'canary',
  status: 'pending',
  created_at: '2026-11-02T08:00:00Z',
  tag_list: [tag],
};
const canaryOf = ({ client, clock }: Opened) =>
  createCanaryJob({
    client,
    clock,
    projectId: 101,
    pipelineId: 7,
    pipelineIid: 7,
    pipelineUrl: 'https://gitlab.example.com/p',
    runnerName: 'linux',
    jobName: 'canary',
  });
const canaryProjectOf = ({ client, clock }: Opened) =>
  createCanaryProject({
    client,
    clock,
    deploymentId: '101-7',
    runnerName: 'linux',
    project: 'acme/canary',
    ref: 'main',
    input: 'tag',
  });
const canaryIs = (status: string) => ({
  'GET /projects/101/pipelines/7/jobs': page([{ ...job, status }]),
  'GET /projects/101/jobs/9': json(200, { ...job, status }),
});
const hanging = [{ ...job, status: 'canceling' }] as never;

type Opened = ReturnType<typeof openRegistry>;

interface Write {
  readonly call: string;
  readonly of?: RunnerScope;
  readonly script?: Parameters<typeof openRegistry>[0];
  readonly act: (opened: Opened) => Promise<unknown>;
  /**
   * Whether the write starts a job. A read with the same token was successful before, so a 401
   * means missing permission.
   */
  readonly starts?: true;
  /** Statuses of refusals that count as a response. */
  readonly answers?: readonly number[];
}

const writes: readonly Write[] = [
  {
    call: 'POST /user/runners',
    act: ({ registry }) => registry.create({ shard, settings, tags: ['canary'], note: '' }),
  },
  {
    call: 'PUT /runners/48213',
    act: ({ registry }) => registry.route(id, { tags: ['linux'], runUntagged: false }),
  },
  { call: 'PUT /runners/48213', act: ({ registry }) => registry.setIntake(id, 'closed') },
  { call: 'DELETE /runners/48213', act: ({ registry }) => registry.retire(id) },
  {
    call: 'POST /runners/48213/reset_authentication_token',
    act: ({ registry }) => registry.resetToken(id),
  },
  {
    call: 'POST /projects/102/runners',
    of: { kind: 'project', projectId: 101 },
    script: {
      'GET /runners/48211/projects': page([{ id: 102 }]),
      'GET /runners/48213/projects': page([]),
      [one]: json(200, { ...runner, runner_type: 'project_type', locked: false }),
    },
    act: ({ registry }) =>
      registry.copyAssignments({ from: '48211' as never, to: id, locked: false }),
  },
  {
    call: 'POST /projects/acme/canary/pipeline',
    script: {
      'GET /metadata': json(200, { version: '19.3.0' }),
      'GET /projects/acme/canary/pipelines': page([]),
    },
    act: (opened) => canaryProjectOf(opened).start(),
    starts: true,
  },
  {
    call: 'POST /projects/101/jobs/9/retry',
    script: canaryIs('failed'),
    act: (opened) => canaryOf(opened).start(),
    starts: true,
  },
  {
    call: 'POST /projects/101/jobs/9/play',
    script: canaryIs('manual'),
    act: (opened) => canaryOf(opened).start(),
    starts: true,
  },
  {
    call: 'POST /projects/101/jobs/9/cancel',
    script: canaryIs('running'),
    act: (opened) => canaryOf(opened).cancel(),
  },
  {
    // Cancels a job whose machine is gone. A GitLab without a forced cancel refuses with this
    // status.
    call: 'POST /projects/101/jobs/9/cancel',
    act: ({ client }) =>
      cancelJobs(client, { project: 101 }, { jobs: hanging, machineIsGone: true }),
    answers: [400, 403],
  },
];

const rows = writes.flatMap(({ answers = [], starts, ...write }) =>
  statuses
    .filter(([status]) => !answers.includes(status))
    .map(([status, usual, effect, times]) => {
      const kind = status === 401 && starts ? 'denied' : usual;
      return { ...write, status, kind, effect, times };
    }),
);

test.each(rows)(
  'a refused $call with $status is $kind, effect $effect, and goes out $times',
  async ({ call, of, script, act, status, kind, effect, times }) => {
    const opened = openRegistry(
      {
        [one]: json(200, { ...runner, paused: false, tag_list: ['canary'] }),
        [list]: page([]),
        ...script,
        [call]: json(status, { message: `${status} of GitLab` }),
      },
      of,
    );
    await expect(act(opened)).rejects.toMatchObject({ kind, effect, status });
    expect(opened.sent.filter((each) => each === call).length > 1).toBe(times === 'again');
  },
);

test.each([400, 403])(
  'a forced cancellation that is refused with %d is not insisted on',
  async (status) => {
    const call = 'POST /projects/101/jobs/9/cancel';
    const { client, sent } = openRegistry({ [call]: json(status, { message: 'no' }) });
    await cancelJobs(client, { project: 101 }, { jobs: hanging, machineIsGone: true });
    expect(sent).toEqual([call]);
  },
);
