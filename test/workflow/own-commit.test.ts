import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { read } from '../structure/tree.ts';

interface Step {
  readonly if?: string;
  readonly run?: string;
  readonly with?: { readonly ref?: string; readonly token?: string };
}

const { jobs } = parse(read('.github/workflows/hosted-runner-deploy.yml')) as {
  jobs: Readonly<Record<string, { steps: readonly Step[] }>>;
};

test.each(Object.entries(jobs))(
  '%s accepts no other repository as the action’s',
  (_, { steps }) => {
    const refusal = steps.findIndex((step) => step.if?.includes("job.workflow_sha == ''"));
    const checkout = steps.findIndex((step) => step.with?.ref?.includes('job.workflow_sha'));
    expect(refusal).toBeGreaterThanOrEqual(0);
    expect(refusal).toBeLessThan(checkout);
    expect(steps[refusal]?.if).toContain("job.workflow_repository == ''");
    expect(steps[refusal]?.run).toMatch(/^echo "::error title=.*\nexit 2\n$/);
    // A separate token reads a private repository, and a failed read ends the job.
    expect(steps[checkout]?.with?.token).toBe(`\${{ secrets.action_token || github.token }}`);
    const { if: condition, run } = steps[checkout + 1] ?? {};
    expect(condition).toBe(`\${{ steps.action.outcome != 'success' }}`);
    expect(run).toMatch(/^echo "::error title=.* Set the secret action_token to .*\nexit 2\n$/);
  },
);
