import { expect, test } from '@jest/globals';
import type { GitHubClient } from '../../../src/adapters/github/github-client.ts';
import { createGitHubRegistry } from '../../../src/adapters/github/runners/github-registry.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import type { StateStore } from '../../../src/ports/state-store.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { createSandboxGitHub } from '../sandbox-github.ts';

const id = 'pink-linux' as RegistrationId;

/** Runners with a label each, of a shard whose intake is to be closed. */
async function findClosing(labels: readonly string[]) {
  const sandbox = await createSandboxGitHub();
  try {
    const answer = await sandbox.client.request(
      'POST /orgs/acme/actions/runners/registration-token',
    );
    const { token } = answer.data as { token: string };
    for (const [index, label] of labels.entries()) {
      const name = `${id}-i-0123456789abcdef${index}`;
      sandbox.github.runnerSide.register({
        token,
        name,
        labels: label === '' ? [] : [label],
        replace: false,
      });
    }
    return await registryOf(sandbox.client).find(id);
  } finally {
    sandbox.close();
  }
}

function registryOf(client: GitHubClient) {
  const value = JSON.stringify({ schema: 1, labels: ['linux'], intake: 'closed', note: '' });
  const parameters = { find: async () => ({ version: 1, value }) } as unknown as StateStore;
  return createGitHubRegistry({
    client,
    clock: createVirtualClock(),
    scope: { kind: 'organization', organization: 'acme' },
    groups: { production: 'Default' },
    canaryLabel: 'canary-1-2-linux',
    fleets: { parameters, nameOf: () => '/runner_fleet' },
  });
}

test('the intake is closed once no runner has a label that a job may ask for', async () => {
  expect(await findClosing(['', ''])).toMatchObject({ value: { paused: true } });
});

test.each([
  ['the only runner', ['linux']],
  ['the last of several runners', ['', 'linux']],
  ['the first of several runners', ['linux', '']],
])('the intake is open while %s keeps a label', async (_, labels) => {
  expect(await findClosing(labels)).toMatchObject({ value: { paused: false } });
});
