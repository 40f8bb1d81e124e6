import { resumeHint } from '../domain/deployment/lock/lock-verdict.ts';
import { DeployError, needsOperator } from './deploy-error.ts';

/** Errors about who is at work on a stack. One function a code. */

const endsIt =
  'If it is not to go on, end it first: cancel its job, or press Ctrl-C where it was typed.';

/**
 * @param facts.isAlive somebody is proven to be at it, so that nobody is told to take it from them
 * @param facts.byHand `--take-lock` was given
 * @param facts.stoppedPid of its process, which is of this machine and stopped
 * @param facts.isOld held for so long that no run is expected to hold it
 */
export function lockHeld(facts: {
  runner: string;
  reason: string;
  stage: string;
  isAlive: boolean;
  byHand?: boolean;
  stoppedPid?: number | undefined;
  isOld?: boolean;
}): DeployError {
  const { isAlive, byHand = false, stoppedPid, isOld = false } = facts;
  const again = { again: facts.stage, runner: facts.runner };
  const isRefused = isAlive && byHand;
  const error = new DeployError({
    code: 'LockHeld',
    what: `Another stage is at ${facts.runner}${isRefused ? ', and --take-lock was refused' : ''}.`,
    why: [
      `Lock of ${facts.reason}.`,
      ...(isRefused
        ? ['--take-lock is for an owner that may have ended; this one is proven to be there.']
        : []),
    ],
    fix: [
      ...(stoppedPid === undefined ? [] : [`Let it go on: ${resumeHint(stoppedPid)}.`]),
      ...(isRefused && stoppedPid === undefined ? [endsIt] : []),
      { say: 'Run this again when it has ended', ...again },
      ...(isAlive
        ? []
        : [
            {
              say: 'Only if you have made sure that it no longer runs',
              ...again,
              more: '--take-lock',
            },
          ]),
    ],
  });
  // A stopped process continues only by an operator, and an owner that no source reports may have died.
  return stoppedPid !== undefined || (isOld && !isAlive) ? needsOperator(error) : error;
}

export function lockInvalid(facts: {
  runner: string;
  parameter: string;
  stage: string;
}): DeployError {
  return new DeployError({
    code: 'LockInvalid',
    what: `The lock of ${facts.runner} cannot be read.`,
    why: [`${facts.parameter} is not what any version of this program writes.`],
    fix: [
      {
        say: `If nobody deploys ${facts.runner} now`,
        again: facts.stage,
        runner: facts.runner,
        more: '--take-lock',
      },
    ],
  });
}

export function lockLost(facts: { runner: string; reason: string; stage: string }): DeployError {
  return new DeployError({
    code: 'LockLost',
    what: `This run of ${facts.stage} does not own the lock of ${facts.runner} any more; nothing more is touched.`,
    why: [`The lock: ${facts.reason}.`],
    fix: [
      { say: 'See who is at it', command: 'doctor', runner: facts.runner },
      { say: 'Run this again when it has ended', again: facts.stage, runner: facts.runner },
    ],
  });
}
