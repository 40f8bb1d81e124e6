import {
  isRetirement,
  type StageName,
  stageNames,
} from '../../src/domain/deployment/stages-and-steps.ts';

/** A job of the reusable workflow. */
export interface WorkflowJob {
  readonly id: string;
  readonly stage: StageName;
  readonly needs: readonly string[];
  /** Lines of one expression; without it GitHub's own rule holds: every need succeeded. */
  readonly condition?: readonly string[];
  /** Waits for the reviewers of the environment. */
  readonly approval?: boolean;
  /** Its failure is no failure of the run. */
  readonly mayFail?: boolean;
}

/** The status is switched: by provision itself, or after the approval by promote. */
const promoted = [
  "&& needs.hosted_runner_provision.result == 'success'",
  "&& (inputs.approval_environment == '' || needs.hosted_runner_promote.result == 'success')",
];

/**
 * The job graph of a deployment. The canary runs in a project of GitLab, or as a workflow of its own, and is no job here.
 * Whatever comes after the switch may fail or be cancelled: finalize asks for the switch alone, so it runs after
 * every one of them, also in a run that was cancelled.
 */
export const workflowJobs: readonly WorkflowJob[] = [
  { id: 'hosted_runner_prepare', stage: 'prepare', needs: [] },
  { id: 'hosted_runner_onboard', stage: 'onboard', needs: ['hosted_runner_prepare'] },
  { id: 'hosted_runner_provision', stage: 'provision', needs: ['hosted_runner_onboard'] },
  {
    id: 'hosted_runner_promote',
    stage: 'promote',
    needs: ['hosted_runner_provision'],
    condition: ["inputs.approval_environment != ''"],
    approval: true,
  },
  ...stageNames.filter(isRetirement).map(jobAfterSwitch),
];

/** It needs all those before it from the switch on. */
function jobAfterSwitch(stage: StageName): WorkflowJob {
  const before = stageNames.slice(stageNames.indexOf('provision'), stageNames.indexOf(stage));
  const needs = before.map((one) => `hosted_runner_${one}`);
  const id = `hosted_runner_${stage}`;
  if (stage === 'finalize') return { id, stage, needs, condition: ['always()', ...promoted] };
  const when = stage === 'bake' ? '!cancelled() && inputs.bake' : '!cancelled()';
  return { id, stage, needs, condition: [when, ...promoted], mayFail: true };
}
