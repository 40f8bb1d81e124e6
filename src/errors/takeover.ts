import type { RegistryWords } from '../domain/registry-words.ts';
import { DeployError } from './deploy-error.ts';
import { capital } from './state.ts';

/** Errors of `rollback` and `activate`. One function a code. */

export function nothingToRollBack(runner: string, reason: string): DeployError {
  return new DeployError({
    code: 'NothingToRollBack',
    exitCode: 2,
    what: `${runner} cannot be rolled back; nothing was touched.`,
    why: [`${capital(reason)}.`],
    fix: [
      `Finish what is begun: hosted-runner finalize --runner ${runner}`,
      `Then deploy the other shard anew: hosted-runner deploy --runner ${runner}`,
    ],
  });
}

export function startUnproven(facts: {
  runner: string;
  shard: string;
  host: string;
  reason: string;
}): DeployError {
  const { runner, shard, host } = facts;
  return new DeployError({
    code: 'StartUnproven',
    exitCode: 1,
    what: `The runner process of ${shard} on ${host} was to be started anew, and does not run.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      `Look at the host's log: hosted-runner doctor --runner ${runner} --logs`,
      `Try it again: hosted-runner rollback --runner ${runner}`,
      `Check it, and take it back if it is unhealthy: hosted-runner provision --runner ${runner}`,
    ],
  });
}

export function noSuchRegistration(facts: {
  runner: string;
  shard: string;
  reason: string;
  words: Pick<RegistryWords, 'adopt' | 'hasIds' | 'registration'>;
}): DeployError {
  const { runner, shard, reason, words } = facts;
  return new DeployError({
    code: 'NoSuchRegistration',
    exitCode: 2,
    what: `${shard} cannot be activated: which ${words.registration} it is, is not known.`,
    why: [`${capital(reason)}.`],
    fix: [
      ...(words.hasIds
        ? [
            `Name the runner that is meant: hosted-runner activate --runner ${runner} --shard ${shard} --registration 48213`,
          ]
        : []),
      `${words.adopt.replaceAll('{name}', `${shard}-${runner}`)}, then: hosted-runner activate --runner ${runner} --shard ${shard}`,
    ],
  });
}

/** @param facts.what what had to be typed */
export function notConfirmed(facts: { what: string; again: string }): DeployError {
  return new DeployError({
    code: 'NotConfirmed',
    exitCode: 2,
    what: `${capital(facts.what)} was not confirmed; nothing was touched.`,
    why: ['A terminal is asked for it; everywhere else --yes has to be given.'],
    fix: [`Once you are sure: ${facts.again}`],
  });
}
