import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { removeRunner } from '../../../src/adapters/github/runners/runners.ts';
import { createSandboxGitHub, type SandboxGitHub } from '../sandbox-github.ts';

const acme = { kind: 'organization', organization: 'acme' } as const;
let sandbox: SandboxGitHub;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
});
afterEach(() => sandbox.close());

function answerWith(status: number) {
  sandbox.faults.add({
    id: 'answer',
    service: 'github',
    match: { method: 'DELETE', path: 'actions/runners' },
    effect: { kind: 'status', status },
  });
}

test('a 404 to a removal is an absent runner, and none that was removed', async () => {
  answerWith(404);
  expect(await removeRunner(sandbox.client, acme, 1234567)).toBe('absent');
});

test.each([
  [403, 'denied', 'none'],
  [401, 'unauthenticated', 'none'],
  [409, 'refused', 'none'],
  [422, 'refused', 'none'],
  [500, 'unavailable', 'unknown'],
])('a %d to a removal is an error', async (status, kind, effect) => {
  answerWith(status);
  await expect(removeRunner(sandbox.client, acme, 1234567)).rejects.toMatchObject({ kind, effect });
});
