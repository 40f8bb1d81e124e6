import { describe, expect, test } from '@jest/globals';
import {
  createGitHubClient,
  type GitHubClient,
} from '../../../src/adapters/github/github-client.ts';
import { jobsOf } from '../../../src/adapters/github/runners/jobs.ts';
import { createCanaryWorkflow } from '../../../src/adapters/github/runs/canary-workflow.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { failureOf } from '../../support/failure-of.ts';
import { createTestTransport, json } from '../../transport/fake-server.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { canaryOfApp, tag } from './canary-of-app.ts';

const label = { labels: [tag] };

/**
 * Creates a client with one run named after the canary, and these jobs. A dispatch shows the later
 * jobs.
 */
function clientWith(jobs: readonly object[], afterDispatch = jobs): GitHubClient {
  let dispatched = false;
  return {
    redactor: createRedactor(),
    clock: createVirtualClock(),
    async request(route) {
      const answer = (data: unknown) => ({ status: 200, data, source: `GitHub ${route}` });
      if (route.startsWith('POST')) {
        dispatched = true;
        return answer(undefined);
      }
      if (!route.endsWith('/jobs'))
        return answer({ workflow_runs: [{ id: 5, display_title: `canary ${tag}` }] });
      return answer({ jobs: dispatched ? afterDispatch : jobs });
    },
  };
}

const canaryOver = (client: GitHubClient) =>
  createCanaryWorkflow({
    client,
    clock: client.clock as never,
    ...canaryOfApp,
  });

describe('a canary on GitHub', () => {
  test.each<[string, string | null, string]>([
    ['completed', 'success', 'success'],
    ['completed', 'failure', 'failed'],
    ['completed', 'timed_out', 'failed'],
    ['completed', 'cancelled', 'canceled'],
    ['completed', 'skipped', 'canceled'],
    ['completed', 'neutral', 'unknown'],
    ['completed', 'action_required', 'unknown'],
    ['completed', null, 'unknown'],
    ['in_progress', null, 'running'],
    ['queued', null, 'waiting'],
    ['frozen', null, 'unknown'],
  ])('counts, when it is %s with %s, as %s', async (status, conclusion, is) => {
    const canary = canaryOver(clientWith([{ id: 7, status, conclusion, ...label }]));
    expect(await canary.findNewest()).toMatchObject({ id: '7', status: is });
  });

  test('belongs to the current dispatch, not to an older one', async () => {
    const older = { id: 7, status: 'completed', conclusion: 'success', ...label };
    const newer = { id: 9, status: 'queued', ...label };
    const canary = canaryOver(clientWith([older], [older, newer]));
    expect(await canary.start()).toMatchObject({ id: '9', status: 'waiting' });
    const never = canaryOver(clientWith([older]));
    expect(await failureOf(never.start())).toMatchObject({ kind: 'refused', effect: 'unknown' });
  });

  test('needs its label, whatever the name of the run', async () => {
    const other = { id: 7, status: 'completed', conclusion: 'success', labels: ['linux'] };
    expect(await canaryOver(clientWith([other])).findNewest()).toBeUndefined();
  });
});

test('a completed job does not count as its runner’s current job', async () => {
  const jobs = [
    { id: 1, name: 'ended', status: 'completed', runner_id: 3 },
    { id: 2, name: 'of another runner', status: 'in_progress', runner_id: 4 },
  ];
  const scope = { kind: 'repository', owner: 'acme', repository: 'app' } as const;
  const runner = { id: 3, name: 'pink-linux-i-0123456789abcdef0', busy: true };
  expect(
    await jobsOf({ client: clientWith(jobs), scope, runners: [runner as never] }),
  ).toMatchObject([{ id: 'runner-3', project: 'repository acme/app' }]);
});

test('a token in a GitHub response is a secret from then on, whatever its kind', async () => {
  const token = 'AABF3JGZDX3P5PMEXLND6TS6FCWO6';
  const { transport, redactor, clock } = createTestTransport(async () => json(201, { token }));
  const client = await createGitHubClient({
    url: 'https://api.github.com',
    credentials: { kind: 'token', token: 'ghp_secret0000' },
    transport,
    redactor,
    clock,
  });
  await client.request('POST /orgs/acme/actions/runners/remove-token');
  expect(redactor.redact(`got ${token}`)).toBe('got [MASKED]');
});
