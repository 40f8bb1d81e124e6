import { resumeHint } from '../domain/deployment/lock/lock-verdict.ts';
import { capital } from '../domain/text/capital.ts';
import { DeployError, needsOperator } from './deploy-error.ts';

/** Errors about the lock holder of a stack. One function per code. */

const endsIt =
  'If that run should not continue, end it first: cancel its job, or press Ctrl-C in its terminal.';

/**
 * @param facts.isAlive the lock holder is proven to run, so no takeover is recommended.
 * @param facts.byHand `--take-lock` was given.
 * @param facts.stoppedPid the holder's process, which is stopped and on this machine.
 * @param facts.isOld held for so long that no run is expected to hold it.
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
    what: `Another run holds the lock of ${facts.runner}${isRefused ? ', and --take-lock was refused' : ''}.`,
    why: [
      `Lock holder: ${facts.reason}.`,
      ...(isRefused
        ? [
            `--take-lock is only for a run that may have ended. That run is ${stoppedPid === undefined ? 'still running' : 'only suspended'}.`,
          ]
        : []),
    ],
    fix: [
      ...(stoppedPid === undefined ? [] : [`Resume that run: ${resumeHint(stoppedPid)}.`]),
      ...(isRefused && stoppedPid === undefined ? [endsIt] : []),
      { text: 'Once that run has ended, run again', ...again },
      ...(isAlive
        ? []
        : [
            {
              text: 'Only if you are sure that it has ended',
              ...again,
              more: '--take-lock',
            },
          ]),
    ],
  });
  // A stopped process continues only by an operator, and a holder without any report may have died.
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
    why: [`${facts.parameter} has content that no version of hosted-runner writes.`],
    fix: [
      { text: 'Diagnose the stack', command: 'doctor', runner: facts.runner },
      {
        text: `If no deployment of ${facts.runner} is running`,
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
    what: `This run of ${facts.stage} no longer holds the lock of ${facts.runner}; this stage stopped.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      { text: 'Show the lock holder', command: 'doctor', runner: facts.runner },
      { text: 'Once that run has ended, run again', again: facts.stage, runner: facts.runner },
    ],
  });
}
