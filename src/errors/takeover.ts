import type { RegistryWords } from '../domain/registry-words.ts';
import { capital } from '../domain/text/capital.ts';
import { DeployError } from './deploy-error.ts';

/** Errors of `rollback` and `activate`. One function a code. */

/** @param goes what does go: with nothing unfinished, before the switch, or after it */
export function nothingToRollBack(
  runner: string,
  reason: string,
  goes: 'deploy' | 'recover' | 'finalize',
): DeployError {
  const on = (command: string) => `hosted-runner ${command} --runner ${runner}`;
  const fixes = {
    deploy: [`Deploy the other shard anew: ${on('deploy')}`],
    recover: [
      `The shard before it is active still; mend the candidate: ${on('recover --method auto --yes')}`,
    ],
    finalize: [
      `Finish what is begun: ${on('finalize')}`,
      `Then deploy the other shard anew: ${on('deploy')}`,
    ],
  };
  return new DeployError({
    code: 'NothingToRollBack',
    exitCode: 2,
    what: `${runner} cannot be rolled back; nothing was touched.`,
    why: [`${capital(reason)}.`],
    fix: [...fixes[goes], `Look at both shards: ${on('status')}`],
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

/** @param facts.goes what does go: back to the shard, on with what is begun, or anew */
export function cannotActivate(facts: {
  runner: string;
  shard: string;
  reason: string;
  goes: 'rollback' | 'recover' | 'finalize' | 'deploy';
}): DeployError {
  const { runner, shard, goes } = facts;
  const on = (command: string) => `hosted-runner ${command} --runner ${runner}`;
  const fixes = {
    rollback: [`Go back to ${shard}, which starts its process anew: ${on('rollback')}`],
    recover: [`Mend it: ${on('recover --method auto --yes')}`],
    finalize: [`Finish what is begun: ${on('finalize')}`, `Then deploy anew: ${on('deploy')}`],
    deploy: [`Build a shard that serves: ${on('deploy')}`],
  };
  return new DeployError({
    code: 'CannotActivate',
    exitCode: 2,
    what: `${shard} cannot be activated, because nothing of it could take a job; nothing was touched.`,
    why: [`${capital(facts.reason)}.`],
    fix: [...fixes[goes], `Look at both shards: ${on('status')}`],
  });
}

export function noSuchRegistration(facts: {
  runner: string;
  shard: string;
  reason: string;
  /** Those that have its description, where there are several. */
  found: readonly string[];
  words: Pick<RegistryWords, 'adopt' | 'registration'>;
  /** Nothing has its description, and nobody has named another. */
  isMissing?: boolean;
}): DeployError {
  const { runner, shard, reason, found, words, isMissing = false } = facts;
  const activate = `hosted-runner activate --runner ${runner} --shard ${shard}`;
  return new DeployError({
    code: 'NoSuchRegistration',
    exitCode: 2,
    what: `${shard} cannot be activated: which ${words.registration} it is, is not known.`,
    why: [`${capital(reason)}.`],
    fix: [
      // Only ids that were seen: a person types what stands here.
      ...found.slice(0, 2).map((id) => `If it is ${id}: ${activate} --registration ${id}`),
      `${words.adopt.replaceAll('{name}', `${shard}-${runner}`)}, then: ${activate}`,
      ...(isMissing
        ? [`If there is none, build one: hosted-runner deploy --runner ${runner}`]
        : []),
    ],
  });
}

/** Rule 10: what is another shard's is never made this one's. */
export function registrationOfAnother(facts: {
  runner: string;
  shard: string;
  id: string;
  reason: string;
  words: Pick<RegistryWords, 'registration'>;
}): DeployError {
  const { runner, shard, id, reason, words } = facts;
  return new DeployError({
    code: 'RegistrationOfAnotherShard',
    exitCode: 2,
    what: `${capital(words.registration)} ${id} is not ${shard}'s, and ${shard} cannot be activated with it; nothing was touched.`,
    why: [`${capital(reason)}.`],
    fix: [
      `See which ${words.registration} is whose: hosted-runner status --runner ${runner}`,
      `Activate ${shard} by its own description: hosted-runner activate --runner ${runner} --shard ${shard}`,
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
