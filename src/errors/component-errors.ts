import { DeployError } from './deploy-error.ts';
import { badUsage } from './input-errors.ts';

/** @param problems one line each, with the name of the input or rule */
export function componentInputRefused(problems: readonly string[]): DeployError {
  return new DeployError({
    code: 'ComponentInputRefused',
    what: 'The component does not accept the inputs of this pipeline.',
    why: problems,
    now: 'Nothing was touched.',
    fix: [
      'Correct the inputs in .gitlab-ci.yml (docs/use/inputs-gitlab.md lists them), and start a new pipeline.',
    ],
  });
}

/** A manual job that the pipeline started automatically. */
export function notStartedByHand(runner: string): DeployError {
  return new DeployError({
    code: 'NotStartedByHand',
    what: 'The pipeline started this manual job automatically.',
    why: ['CI_JOB_MANUAL is not set: a rule with "when" has replaced "when: manual".'],
    now: 'Nothing was touched.',
    fix: [
      'Remove "when" from the rules of the component, and start a new pipeline.',
      { text: 'Show the state of the stack', command: 'status', runner },
    ],
  });
}

/** A stack that `init` cannot add to a configuration. */
export function stackNotAdded(path: string, reason: string): DeployError {
  return badUsage({
    what: `Nothing was added to ${path}: ${reason}.`,
    fix: [{ text: 'Change the file or name another stack, then run it again', again: 'init' }],
  });
}
