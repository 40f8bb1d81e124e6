import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createCanaryWorkflow } from '../../../src/adapters/github/runs/canary-workflow.ts';
import { stackShard } from '../../contract/registry-world.ts';
import { statuses, timesIn } from '../refused-statuses.ts';
import { createSandboxGitHub, registryOf, type SandboxGitHub } from '../sandbox-github.ts';
import { canaryOfApp, tag } from './canary-of-app.ts';

let sandbox: SandboxGitHub;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
});
afterEach(() => sandbox.close());

function canary({ client, clock }: Pick<SandboxGitHub, 'client' | 'clock'> = sandbox) {
  return createCanaryWorkflow({
    client,
    clock,
    ...canaryOfApp,
  });
}

function answerWith(path: string, status: number, times = Number.POSITIVE_INFINITY) {
  const effect = { kind: 'status', status } as const;
  sandbox.faults.add({ id: 'answer', service: 'github', match: { path }, effect, times });
}

const listCalls = () => sandbox.sent.map((line) => line.replace(/\d{5,}/, 'N'));
const dispatches = 'POST /repos/acme/app/actions/workflows/hosted-runner-canary.yml/dispatches';

describe('the canary workflow', () => {
  test('yields the run that the dispatch response names', async () => {
    const started = await canary().start();
    expect(started).toMatchObject({ status: 'waiting' });
    expect(listCalls().slice(-2)).toEqual([dispatches, 'GET /repos/acme/app/actions/runs/N/jobs']);
  });

  test('finds its run by the label if the server does not return the run id', async () => {
    answerWith('dispatches', 422, 1);
    const started = await canary().start();
    expect(started).toMatchObject({ status: 'waiting' });
    expect(listCalls().slice(-4)).toEqual([
      dispatches,
      dispatches,
      'GET /repos/acme/app/actions/workflows/hosted-runner-canary.yml/runs',
      'GET /repos/acme/app/actions/runs/N/jobs',
    ]);
  });

  test.each(statuses.filter(([status]) => status !== 422))(
    'after the dispatch response %d is %s, effect %s, and is sent %s',
    async (status, kind, effect, times) => {
      answerWith('dispatches', status);
      await expect(canary().start()).rejects.toMatchObject({ kind, effect });
      expect(timesIn(listCalls().filter((call) => call === dispatches))).toBe(times);
    },
  );

  test('causes an error after a dispatch without a response, and is sent once', async () => {
    sandbox.disturb('lose', ({ url }) => url.endsWith('/dispatches'));
    await expect(canary().start()).rejects.toMatchObject({ effect: 'unknown' });
    expect(listCalls().filter((call) => call === dispatches)).toHaveLength(1);
  });

  test('sends no cancellation if it has completed meanwhile', async () => {
    await canary().start();
    expect(await canary().cancel()).toBe(1);
    expect(await canary().cancel()).toBe(0);
  });

  test('causes no error if it completes between the list and the cancellation', async () => {
    const { client, clock } = sandbox;
    await canary().start();
    const request: typeof client.request = async (route, given) => {
      if (route.endsWith('/cancel')) await client.request(route, given);
      return client.request(route, given);
    };
    expect(await canary({ client: { ...client, request }, clock }).cancel()).toBe(1);
    const cancels = sandbox.sent.filter((call) => call.endsWith('/cancel'));
    expect(cancels).toHaveLength(2);
  });

  test('reads the job after a cancellation with a lost response, and cancels once', async () => {
    await canary().start();
    sandbox.disturb('lose', ({ url }) => url.endsWith('/cancel'));
    expect(await canary().cancel()).toBe(1);
    expect(listCalls().filter((call) => call.endsWith('/cancel'))).toHaveLength(1);
  });

  // GitHub's 409: "Cannot cancel a workflow re-run that has not yet queued."
  test.each(statuses)(
    'causes, if the cancellation returns %d while its job waits, %s, effect %s, sent %s',
    async (status, kind, effect, times) => {
      await canary().start();
      answerWith('/cancel', status);
      await expect(canary().cancel()).rejects.toMatchObject({ kind, effect });
      expect(timesIn(listCalls().filter((call) => call.endsWith('/cancel')))).toBe(times);
    },
  );

  test('recognizes its job by the id, so the job does not count as a customer’s', async () => {
    const { github, clock } = sandbox;
    const registry = registryOf(sandbox, { canaryRepository: 'acme/app' });
    const { token, id } = await registry.create({
      shard: stackShard('pink', 'linux'),
      settings: {} as never,
      tags: [tag],
      note: '',
    });
    const name = 'pink-linux-i-0123456789abcdef0';
    const { credential } = github.runnerSide.register({ token, name, labels: [tag] });
    const { id: job } = await canary().start();
    github.runnerSide.take(credential);
    github.runnerSide.heartbeat({ credential, jobId: Number(job) });
    await clock.sleep(61_000);
    const listed = await registry.listJobs(id);
    expect(listed.kind === 'found' && listed.value.map((one) => one.id)).toEqual([job]);
  });
});
