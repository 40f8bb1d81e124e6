import { expect, test } from '@jest/globals';
import { githubTerms } from '../../src/adapters/github/github-terms.ts';
import { diagnose } from '../../src/domain/health/diagnose.ts';

const names = { runner: 'linux', shard: 'pink', words: githubTerms };

/** As actions/runner prints them: v2.336.0, src/Runner.Listener and src/Sdk. */
test.each([
  [
    'a version that has ended, though it listened',
    [
      '2026-11-06 08:00:00Z: Listening for Jobs',
      'Runner version v2.336.0 is deprecated and cannot receive messages.',
    ],
    ['version_ended'],
  ],
  ['a version that may not even register', ['| RUNNER UPDATE REQUIRED |'], ['version_ended']],
  [
    'a registration that is gone, in the words of 2.336 and later',
    ['The runner no longer exists on the server. Cleaning up local configuration.'],
    ['registration_lost'],
  ],
  [
    'a registration that is gone, at a start',
    [
      'Failed to create a session. The runner registration has been deleted from the server, please re-configure.',
    ],
    ['registration_lost'],
  ],
  [
    'a group that does not exist',
    ['Could not find any self-hosted runner group named "gpu".'],
    ['token_refused'],
  ],
  [
    'a network that is not there, by .NET',
    [
      'Runner connect error: Name or service not known (api.github.com:443). Retrying until reconnected.',
    ],
    ['registry_unreachable'],
  ],
  ['an idle listener', ['2026-11-06 08:00:00Z: Listening for Jobs'], []],
])('the log tells of %s', (_, log, codes) => {
  const facts = { missing: [], reports: [{ id: 'i-0abc', process: 'running', log }] };
  expect(diagnose(facts, names).map(({ code }) => code)).toEqual(codes);
});
