import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { read } from '../structure/tree.ts';

interface Step {
  readonly if?: string;
  readonly run?: string;
  readonly with?: { readonly ref?: string };
}

const { jobs } = parse(read('.github/workflows/hosted-runner-deploy.yml')) as {
  jobs: Readonly<Record<string, { steps: readonly Step[] }>>;
};

test.each(Object.entries(jobs))('%s takes no other repository for the action’s', (_, { steps }) => {
  const refusal = steps.findIndex((step) => step.if?.includes("job.workflow_sha == ''"));
  const checkout = steps.findIndex((step) => step.with?.ref?.includes('job.workflow_sha'));
  expect(refusal).toBeGreaterThanOrEqual(0);
  expect(refusal).toBeLessThan(checkout);
  expect(steps[refusal]?.run).toMatch(/^echo "::error title=.*\nexit 2\n$/);
});
