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
  /** Lines of one expression; default: GitHub's rule that every need succeeded. */
  readonly condition?: readonly string[];
  /** Makes the job wait for the reviewers of the environment. */
  readonly approval?: boolean;
  /** Keeps a failure of the job from failing the run. */
  readonly mayFail?: boolean;
}

/**
 * Conditions under which the status is switched: by provision, or after the approval by promote.
 */
const promoted = [
  "&& needs.hosted_runner_provision.result == 'success'",
  "&& (inputs.approval_environment == '' || needs.hosted_runner_promote.result == 'success')",
];

/**
 * Job graph of a deployment. The canary is no job here: it runs in a project of GitLab, or as a
 * separate workflow. Every job after the switch may fail or be cancelled. finalize requires only
 * the switch, so it runs after all of them, even in a cancelled run.
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

/** Builds a job that needs all jobs before it from the switch on. */
function jobAfterSwitch(stage: StageName): WorkflowJob {
  const before = stageNames.slice(stageNames.indexOf('provision'), stageNames.indexOf(stage));
  const needs = before.map((one) => `hosted_runner_${one}`);
  const id = `hosted_runner_${stage}`;
  if (stage === 'finalize') return { id, stage, needs, condition: ['always()', ...promoted] };
  const when = stage === 'bake' ? '!cancelled() && inputs.bake' : '!cancelled()';
  return { id, stage, needs, condition: [when, ...promoted], mayFail: true };
}
