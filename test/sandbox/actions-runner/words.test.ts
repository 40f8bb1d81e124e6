import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { forgetIfDeleted } from '../../../sandbox/actions-runner/home.ts';
import { githubTerms } from '../../../src/adapters/github/github-terms.ts';
import { type ListenerWorld, openListenerWorld, type Wish } from './listener.ts';

let world: ListenerWorld;
beforeEach(async () => {
  world = await openListenerWorld();
});
afterEach(() => world.close());

/** Runs a listener to its end. */
async function runListener(wish: Wish): Promise<{ code: number; log: readonly string[] }> {
  const { ended, log } = world.start(wish);
  return { code: await ended, log };
}

/** Removes the runner while it listens, like an operator. */
function removing(line: string): void {
  if (line !== 'Listening for Jobs') return;
  for (const { id } of world.sandbox.github.runners())
    void world.sandbox.client.request('DELETE /orgs/acme/actions/runners/{id}', { id });
}

const hasCredentials = () => existsSync(join(world.home, '.credentials'));
test('a runner from 2.336 on that is removed while it listens deletes its files and ends well', async () => {
  const ended = await runListener({ token: await world.newToken(), onLine: removing });
  expect(ended).toEqual({
    code: 0,
    log: [
      'Runner successfully added',
      'Listening for Jobs',
      'The runner no longer exists on the server. Cleaning up local configuration.',
    ],
  });
  expect(hasCredentials()).toBe(false);
});

test('an older runner keeps its files, and is refused at each start', async () => {
  // The sandbox knows no end of support for this version.
  const old = { version: '2.334.0', token: await world.newToken() };
  const ended = await runListener({ ...old, onLine: removing });
  expect(ended).toMatchObject({ code: 1 });
  expect(ended.log.at(-1)).toBe('An error occurred: Runner not found');
  expect(hasCredentials()).toBe(true);
  const again = await runListener(old);
  expect(again.code).toBe(1);
  expect(again.log).toEqual([
    expect.stringMatching(
      /^Failed to create a session\. The runner registration has been deleted from the server/,
    ),
  ]);
  expect(hasCredentials()).toBe(true);
  expect(world.record()).toContain('The runner registration has been deleted from the server');
  forgetIfDeleted(world.home);
  expect(hasCredentials()).toBe(false);
});

test.each([
  ['a token that GitHub does not know', {}, /^Http response code: NotFound from 'POST /],
  [
    'a missing group',
    { group: 'gpu' },
    /^Could not find any self-hosted runner group named "gpu"\.$/,
  ],
  ['a version that may not register', { version: '2.328.0' }, /^RUNNER UPDATE REQUIRED$/],
])(
  '%s is refused in the text of config.sh, which the diagnosis knows',
  async (what, given, words) => {
    const token = what.startsWith('a token') ? 'wrong' : await world.newToken();
    const { code, log } = await runListener({ token, ...given });
    expect({ code, log }).toEqual({ code: 1, log: [expect.stringMatching(words)] });
    const { token_refused: refused, version_ended: ended } = githubTerms.logSigns;
    expect(refused?.set.test(log[0] ?? '') || ended?.set.test(log[0] ?? '')).toBe(true);
  },
);
