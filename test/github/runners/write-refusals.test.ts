import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { GitHubClient } from '../../../src/adapters/github/github-client.ts';
import { moveRunner } from '../../../src/adapters/github/runners/runner-groups.ts';
import {
  createRegistrationToken,
  removeRunner,
  setLabels,
} from '../../../src/adapters/github/runners/runners.ts';
import { statuses, timesIn } from '../refused-statuses.ts';
import { createSandboxGitHub, isWrite, type SandboxGitHub } from '../sandbox-github.ts';

const acme = { kind: 'organization', organization: 'acme' } as const;
const id = 1234567;
let sandbox: SandboxGitHub;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
});
afterEach(() => sandbox.close());

function answerWith(status: number) {
  const match = { path: 'actions/runner' };
  const effect = { kind: 'status', status } as const;
  sandbox.faults.add({ id: 'answer', service: 'github', match, effect });
}

const writes: [string, (client: GitHubClient) => Promise<unknown>][] = [
  [
    'PUT /orgs/acme/actions/runners/1234567/labels',
    (of) => setLabels(of, acme, { id, labels: ['linux'] }),
  ],
  [
    'PUT /orgs/acme/actions/runner-groups/3/runners/1234567',
    (of) => moveRunner(of, acme, { id, groupId: 3 }),
  ],
  ['POST /orgs/acme/actions/runners/registration-token', (of) => createRegistrationToken(of, acme)],
  ['DELETE /orgs/acme/actions/runners/1234567', (of) => removeRunner(of, acme, id)],
];

describe('a refused write to the runners', () => {
  test.each(
    writes.flatMap(([call, act]) =>
      statuses
        .filter(([status]) => status !== 404 || !call.startsWith('DELETE'))
        .map(([status, kind, effect, times]) => ({ call, act, status, kind, effect, times })),
    ),
  )('$call with $status is $kind, effect $effect, and is sent $times', async (row) => {
    const { call, act, status, kind, effect, times } = row;
    answerWith(status);
    await expect(act(sandbox.client)).rejects.toMatchObject({ kind, effect });
    expect([new Set(sandbox.sent), timesIn(sandbox.sent)]).toEqual([new Set([call]), times]);
  });

  test.each(writes)('%s with a lost response is unknown, and is sent once', async (call, act) => {
    sandbox.disturb('lose', isWrite);
    await expect(act(sandbox.client)).rejects.toMatchObject({ effect: 'unknown' });
    expect(sandbox.sent).toEqual([call]);
  });

  test('a 404 to a removal is an absent runner, not a removed one', async () => {
    answerWith(404);
    expect(await removeRunner(sandbox.client, acme, id)).toBe('absent');
  });
});
