import { describe, expect, test } from '@jest/globals';
import { load, minimal, problemsOf, refusal, withKeys } from './loading.ts';

// The token is assembled here, because scanners would report a literal as a leak.
const tokens = [
  ['a personal token of GitLab', `glpat-${'a1B2'.repeat(5)}`],
  ['a runner token', `glrt-t1_${'x9Y8'.repeat(5)}`],
  ['a token of GitHub', `ghp_${'a1B2'.repeat(9)}`],
  ['a key of AWS', `AKIA${'ABCD'.repeat(4)}`],
  ['a password in a URL', `https://person:${'hunter'}22@gitlab.example.com`],
  ['a token of Slack', `xox${'b'}-123456789012-abcdefghij`],
  ['a token of Vault', `hvs${'.'}CAESIJlWSpyLbn0EwzwbVp9iXtQ`],
  ['a password in a URL without a user', `redis://:${'hunter'}22@cache`],
  ['a secret key of AWS', `secret_access_key=wJalrXUtnFEMI/K7MDENG+bPxRfiCY${'EXAMPLEKEY'}`],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----'],
] as const;

const refusalText =
  'this appears to be a secret; remove it, revoke it, and put secrets only into the environment';

describe('a secret in the file', () => {
  test.each(tokens)('causes an error without its text: %s as a value', async (_name, token) => {
    const problems = await problemsOf({ text: withKeys(`kms_key_id: "${token}"`) });
    expect(problems.some((line) => line.endsWith(refusalText))).toBe(true);
    expect(problems.join('\n')).not.toContain(token);
  });

  test.each(tokens)('causes an error without its text: %s in a comment', async (_name, token) => {
    const problems = await problemsOf({ text: `${minimal}# ${token}\n` });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(refusalText);
    expect(problems[0]).toMatch(/^hosted-runners\.yml:13:\d+: /);
  });

  test.each(tokens)('causes an error without its text: %s as a key', async (_name, token) => {
    const problems = await problemsOf({ text: withKeys(`? "${token}"`, ': 1') });
    expect(problems.join('\n')).not.toContain(token);
  });

  test.each(tokens)(
    'causes an error without its text: %s in a file that is not YAML',
    async (_name, token) => {
      const problems = await problemsOf({ text: `version: [*${token}` });
      expect(problems.join('\n')).not.toContain(token);
    },
  );
});

test.each(tokens)('%s in a variable or flag never appears in the error', async (_name, token) => {
  const error = await refusal(() =>
    load({
      environment: { HOSTED_RUNNER_GITLAB_URL: token, [`HOSTED_RUNNER_${token}`]: token },
      overrides: [`${token}=1`, `host.name=${token}!`, `managers=${token}`],
    }),
  );
  const text = JSON.stringify(error?.fields);
  expect(error?.code).toBe('InvalidConfiguration');
  // A variable's name is no secret. Only its value can be one.
  expect(text.replaceAll(`HOSTED_RUNNER_${token}`, '')).not.toContain(token);
});

test('the error about a key for a secret names the right place for secrets', async () => {
  expect(await problemsOf({ text: withKeys('gitlab: {token: abc}') })).toEqual([
    'hosted-runners.yml:13:14: stacks.linux.gitlab: unknown key "token"; put secrets only into the environment',
  ]);
});
