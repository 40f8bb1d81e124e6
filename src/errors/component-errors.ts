import { DeployError } from './deploy-error.ts';

/** @param problems one line each, with the input's or the rule's name */
export function componentInputRefused(problems: readonly string[]): DeployError {
  return new DeployError({
    code: 'ComponentInputRefused',
    what: 'The pipeline gives the component what it does not take.',
    why: problems,
    now: 'Nothing was touched.',
    fix: [
      'Correct what .gitlab-ci.yml gives under inputs, and start a new pipeline; what they take: docs/use/inputs-gitlab.md',
    ],
  });
}

/** A job that is for a person to press, and that the pipeline has started by itself. */
export function notStartedByHand(runner: string): DeployError {
  return new DeployError({
    code: 'NotStartedByHand',
    what: 'This job is for a person to press, and the pipeline started it by itself.',
    why: [
      'GitLab does not say CI_JOB_MANUAL: a rule with "when" has taken the place of "when: manual".',
    ],
    now: 'Nothing was touched.',
    fix: [
      'Give the component rules without "when", and start a new pipeline',
      { say: 'See where the stack stands', command: 'status', runner },
    ],
  });
}
