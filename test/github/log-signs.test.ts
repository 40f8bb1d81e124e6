import { expect, test } from '@jest/globals';
import { githubTerms } from '../../src/adapters/github/github-terms.ts';
import { diagnose } from '../../src/domain/health/diagnose.ts';

const names = { runner: 'linux', shard: 'pink', words: githubTerms };

/** Lines of actions/runner v2.336.0, src/Runner.Listener and src/Sdk. */
test.each([
  [
    'an expired version, even after a session',
    [
      '2026-11-06 08:00:00Z: Listening for Jobs',
      'Runner version v2.336.0 is deprecated and cannot receive messages.',
    ],
    ['version_ended'],
  ],
  ['a version that is too old to register', ['| RUNNER UPDATE REQUIRED |'], ['version_ended']],
  [
    'a removed registration, in the text of 2.336 and later',
    ['The runner no longer exists on the server. Cleaning up local configuration.'],
    ['registration_lost'],
  ],
  [
    'a removed registration, at a start',
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
    'an unreachable network, in the text of .NET',
    [
      'Runner connect error: Name or service not known (api.github.com:443). Retrying until reconnected.',
    ],
    ['registry_unreachable'],
  ],
  ['an idle listener', ['2026-11-06 08:00:00Z: Listening for Jobs'], []],
])('the log shows %s', (_, log, codes) => {
  const facts = { missing: [], reports: [{ id: 'i-0abc', process: 'running', log }] };
  expect(diagnose(facts, names).map(({ code }) => code)).toEqual(codes);
});
