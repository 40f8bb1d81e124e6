import { describe, expect, test } from '@jest/globals';
import { outputsOf } from '../../src/adapters/ci/github/github-outputs.ts';
import { openGitHubResults } from '../../src/adapters/ci/github/github-results.ts';
import { secretsIn } from '../../src/app/environment-check.ts';
import { reportProvision, runOf } from '../report/running.ts';

const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----\n';
const environment = {
  GITHUB_ACTIONS: 'true',
  HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-0123456789abcdefghij',
  HOSTED_RUNNER_GITHUB_TOKEN: 'ghp_0123456789abcdefghij0123456789abcdef',
  HOSTED_RUNNER_GITHUB_PRIVATE_KEY: key,
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  AWS_SESSION_TOKEN: 'IQoJb3JpZ2luX2VjEXAMPLE==',
};

/** Returns the masks and outputs of a job with these secrets. */
async function publish(secrets: readonly string[], report = reportProvision()) {
  const masks: string[] = [];
  const outputs: [string, string][] = [];
  const warnings: string[] = [];
  const results = openGitHubResults(environment, {
    addMask: (secret) => masks.push(secret),
    annotate: (_, text) => warnings.push(text),
    setOutput: (name, value) => outputs.push([name, value]),
    appendSummary: async () => undefined,
  });
  for (const secret of secrets) results.mask(secret);
  await results.publish(report);
  return { masks, outputs, warnings };
}

describe('the outputs of the action', () => {
  test('contain no masked value, because GitHub would drop it', async () => {
    const { masks, outputs, warnings } = await publish(secretsIn(environment));
    expect(masks.length).toBeGreaterThanOrEqual(7);
    expect(outputs.filter(([, value]) => masks.some((mask) => value.includes(mask)))).toEqual([]);
    expect(outputs).toEqual(Object.entries(outputsOf(reportProvision())));
    expect(warnings.filter((text) => text.includes('output'))).toEqual([]);
  });

  test('cause a warning without the secret if GitHub drops them', async () => {
    const { warnings } = await publish(['promoted']);
    expect(warnings).toContain(
      'Other jobs do not get the output phase: GitHub drops it, because it contains a secret of this job. Give that secret a value that is not an ordinary word.',
    );
  });
});

test.each([
  [5, []],
  [6, ['1 earlier warning in the log of this job.']],
  [9, ['4 earlier warnings in the log of this job.']],
])('annotates five of %d warnings, and counts the others', async (count, more) => {
  const { log, end } = runOf();
  for (let index = 0; index < count; index += 1) log.warn(`warning ${index}`);
  const { warnings } = await publish([], end());
  expect(warnings.slice(5)).toEqual(more);
  expect(warnings[4]).toBe(`warning ${count - 1}`);
});
