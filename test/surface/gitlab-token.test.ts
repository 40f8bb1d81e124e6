import { expect, test } from '@jest/globals';
import { gitlabToken } from '../../src/app/compose/gitlab-token.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';

function read(environment: Record<string, string>): string {
  try {
    return gitlabToken(environment);
  } catch (error) {
    if (error instanceof DeployError) return `${error.code}: ${error.fields.why?.join(' ')}`;
    throw error;
  }
}

const unset = 'TokenMissing: Neither HOSTED_RUNNER_GITLAB_TOKEN nor GITLAB_TOKEN is set.';
const malformed = (variable: string) =>
  `TokenMissing: ${variable} contains spaces, line breaks or characters that no token has.`;

test.each([
  [
    'its own variable first',
    { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-1', GITLAB_TOKEN: 'b' },
    'glpat-1',
  ],
  ['the usual one', { HOSTED_RUNNER_GITLAB_TOKEN: ' ', GITLAB_TOKEN: 'glpat-2' }, 'glpat-2'],
  ['without the line end of a file', { GITLAB_TOKEN: 'glpat-3\n' }, 'glpat-3'],
  ['nothing', {}, unset],
  ['blanks', { HOSTED_RUNNER_GITLAB_TOKEN: ' \n', GITLAB_TOKEN: '' }, unset],
  [
    'a placeholder',
    { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-…' },
    malformed('HOSTED_RUNNER_GITLAB_TOKEN'),
  ],
  ['two lines', { GITLAB_TOKEN: 'glpat-4\nglpat-5' }, malformed('GITLAB_TOKEN')],
])('a GitLab token comes from the environment: %s', (_, environment, expected) => {
  expect(read(environment)).toBe(expected);
});
