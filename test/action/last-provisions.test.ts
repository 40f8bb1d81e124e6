import { describe, expect, test } from '@jest/globals';
import { createGitHubClient } from '../../src/adapters/github/github-client.ts';
import { createGitHubPipelines } from '../../src/adapters/github/runs/github-pipelines.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';

const owner = 'acme/runners-2-777';

function pipelines(status: number, body: unknown) {
  const redactor = createRedactor();
  return createGitHubPipelines({
    client: () =>
      createGitHubClient({
        url: 'https://api.github.example.com',
        credentials: { kind: 'none' },
        redactor,
        clock: createVirtualClock(0),
        transport: async () =>
          ({
            status,
            headers: new Headers({ 'content-type': 'application/json' }),
            body: JSON.stringify(body),
          }) as never,
      }),
  });
}

const job = (name: string, status: string, more = {}) => ({ name, status, ...more });

describe('the last provision results of a deployment', () => {
  const provision = (attempt: number, conclusion: string | null) =>
    job('deploy / hosted_runner_provision', conclusion === null ? 'in_progress' : 'completed', {
      conclusion,
      run_attempt: attempt,
    });

  test.each<[string, unknown[], unknown]>([
    [
      'every attempt, the newest first',
      [provision(1, 'failure'), provision(3, 'failure'), provision(2, 'success')],
      ['failed', 'success', 'failed'],
    ],
    [
      'without cancelled, skipped and running jobs',
      [
        provision(1, 'failure'),
        provision(2, 'cancelled'),
        provision(3, 'skipped'),
        provision(4, null),
      ],
      ['failed'],
    ],
    ['a workflow with renamed jobs', [job('build', 'completed')], 'unknown'],
  ])('come from GitHub: %s', async (_, listed, endings) => {
    expect(
      await pipelines(200, { total_count: listed.length, jobs: listed }).readLastProvisions({
        deploymentId: owner,
      }),
    ).toEqual(endings);
  });

  test('stay unknown if the token has no access on GitHub', async () => {
    expect(
      await pipelines(404, { message: 'Not Found' }).readLastProvisions({ deploymentId: owner }),
    ).toBe('unknown');
  });
});
