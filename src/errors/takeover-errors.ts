import type { RegistryTerms } from '../domain/registry-terms.ts';
import { capital } from '../domain/text/capital.ts';
import type { CommandToType, Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError } from './deploy-error.ts';

/** Errors of `rollback` and `activate`. One function a code. */

/** @param goes what does go: with nothing unfinished, before the switch, or after it, with what finishes it */
export function nothingToRollBack(
  runner: string,
  reason: string,
  goes: 'deploy' | 'recover' | { readonly finish: readonly Line[] },
): DeployError {
  const on = (say: string, command: string) => ({ say, command, runner });
  const fixes = {
    deploy: [on('Deploy the other shard anew', 'deploy')],
    recover: [{ ...on('Mend the candidate', 'recover --method auto'), wantsYes: true as const }],
  };
  const fix =
    typeof goes === 'string'
      ? fixes[goes]
      : [...goes.finish, on('Then deploy the other shard anew', 'deploy')];
  return new DeployError({
    code: 'NothingToRollBack',
    what: `${runner} cannot be rolled back; nothing was touched.`,
    why: [`${capital(reason)}.`],
    fix: [...fix, on('Look at both shards', 'status')],
  });
}

export function startUnproven(facts: {
  runner: string;
  shard: string;
  host: string;
  reason: string;
  /** What was typed. */
  again: string;
}): DeployError {
  const { runner, shard, host, again } = facts;
  return new DeployError({
    code: 'StartUnproven',
    what: `The runner process of ${shard} on ${host} was to be started anew, and does not run.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      { say: "Look at the host's log", command: 'doctor', runner, more: '--logs' },
      `Try it again: ${again}`,
      { say: 'Check it, and take it back if it is unhealthy', command: 'provision', runner },
    ],
  });
}

/**
 * @param facts.goes what does go: back to the shard, back to the other one, on with a candidate or with what is begun, or anew
 */
export function cannotActivate(facts: {
  runner: string;
  shard: string;
  other: string;
  reason: string;
  goes:
    | 'rollback'
    | 'rollback_to_other'
    | 'activate_other'
    | 'recover'
    | 'recover_other'
    | { readonly finish: readonly Line[] }
    | 'deploy';
  /** An activation of it has failed and is not undone yet, whatever of it could take a job. */
  isRolledBack?: boolean;
}): DeployError {
  const { runner, shard, other, goes, isRolledBack = false } = facts;
  const on = (say: string, command: string) => ({ say, command, runner });
  const recovers = (say: string) =>
    ({ ...on(say, 'recover --method auto'), wantsYes: true }) as const;
  const fixes = {
    rollback: [on(`Go back to ${shard}, which starts its process anew`, 'rollback')],
    rollback_to_other: [on(`Go back to ${other}`, 'rollback')],
    activate_other: [{ ...on(`Go back to ${other}`, 'activate'), more: inShell`--shard ${other}` }],
    recover: [recovers('Mend it')],
    recover_other: [recovers(`Mend ${other}, the candidate`)],
    deploy: [on('Build a shard that serves', 'deploy')],
  };
  const fix =
    typeof goes === 'string' ? fixes[goes] : [...goes.finish, on('Then deploy anew', 'deploy')];
  return new DeployError({
    code: 'CannotActivate',
    what: `${shard} cannot be activated${isRolledBack ? ' while it is taken back' : ', because nothing of it could take a job'}; nothing was touched.`,
    why: [`${capital(facts.reason)}.`],
    fix: [...fix, on('Look at both shards', 'status')],
  });
}

export function noSuchRegistration(facts: {
  runner: string;
  shard: string;
  reason: string;
  /** Those that have its description, where there are several. */
  found: readonly string[];
  words: Pick<RegistryTerms, 'adopt' | 'registration'>;
  /** Nothing has its description, and nobody has named another. */
  isMissing?: boolean;
  /** There is none of the id that was typed, whatever it is called. */
  isMistyped?: boolean;
}): DeployError {
  const { runner, shard, reason, found, words, isMissing = false, isMistyped = false } = facts;
  const activate = (say: string, more: readonly string[] = []) => ({
    say,
    command: 'activate',
    runner,
    more: inShell`--shard ${shard} ${more}`,
  });
  return new DeployError({
    code: 'NoSuchRegistration',
    what: `${shard} cannot be activated: which ${words.registration} it is, is not known.`,
    why: [`${capital(reason)}.`],
    fix: [
      // Only ids that were seen: a person types what stands here.
      ...found.slice(0, 2).map((id) => activate(`If it is ${id}`, ['--registration', id])),
      isMistyped
        ? { say: 'See the ids of those that there are', command: 'status', runner }
        : activate(`${words.adopt.replaceAll('{name}', `${shard}-${runner}`)}, then`),
      ...(isMissing ? [{ say: 'If there is none, build one', command: 'deploy', runner }] : []),
    ],
  });
}

/** Rule 10: what is another shard's, or may be anybody's, is never made this one's. */
export function registrationOfOtherShard(
  facts: {
    runner: string;
    shard: string;
    id: string;
    reason: string;
    words: Pick<RegistryTerms, 'adopt' | 'registration'>;
  } & (
    | { kind: 'others' }
    /** Nothing says whose it is. */
    | { kind: 'unproven' }
    /** The activation was begun with the `recorded` one. */
    | { kind: 'begun_with_another'; recorded: string; goes: 'activate' | 'finalize' | undefined }
  ),
): DeployError {
  const { runner, shard, reason, words } = facts;
  return new DeployError({
    code: 'RegistrationOfAnotherShard',
    what: `${whose(facts)}, and ${shard} cannot be activated with it; nothing was touched.`,
    why: [`${capital(reason)}.`],
    fix: [
      { say: `See which ${words.registration} is whose`, command: 'status', runner },
      ...instead(facts),
    ],
  });
}

type Another = Parameters<typeof registrationOfOtherShard>[0];

function whose({ kind, shard, id, words: { registration } }: Another): string {
  switch (kind) {
    case 'others':
      return `${capital(registration)} ${id} is not ${shard}'s`;
    case 'unproven':
      return `Nothing says that ${registration} ${id} is ${shard}'s`;
    case 'begun_with_another':
      return `The activate to ${shard} was begun with another ${registration} than ${id}`;
  }
}

function instead(facts: Another): readonly Line[] {
  const { kind, runner, shard, words } = facts;
  const activate = { command: 'activate', runner, more: inShell`--shard ${shard}` };
  if (kind === 'others') return [{ say: `Activate ${shard} by its own description`, ...activate }];
  if (kind === 'unproven') {
    const adopt = words.adopt.replaceAll('{name}', `${shard}-${runner}`);
    return [{ say: `${adopt}, if it is ${shard}'s, then`, ...activate }];
  }
  if (facts.goes === 'activate')
    return [{ say: `Go on with ${words.registration} ${facts.recorded}`, ...activate }];
  if (facts.goes === undefined) return [];
  return [{ say: 'Finish what is begun', command: facts.goes, runner }];
}

/** @param facts.what what had to be typed; `typed`: what was, where somebody was asked */
export function notConfirmed(facts: {
  what: string;
  command: CommandToType;
  typed?: string;
}): DeployError {
  const { what, typed } = facts;
  return new DeployError({
    code: 'NotConfirmed',
    what: `${capital(what)} was not confirmed; nothing was touched.`,
    why: [
      typed === undefined
        ? 'A terminal is asked for it; everywhere else --yes has to be given.'
        : `${capital(typed === '' ? 'nothing' : JSON.stringify(typed.slice(0, 40)))} was typed, ${what} was asked for.`,
    ],
    fix: [{ say: 'Once you are sure', ...facts.command, wantsYes: true }],
  });
}

/** What was rolled back once is not deployed again by whoever does not know it. */
export function rolledBackBefore(facts: {
  runner: string;
  found: { readonly id: string; readonly at: string; readonly why: string };
  /** Which parts of the two are the same, a sentence. */
  compared: string;
  isTyped: boolean;
  /** The active shard, where only its registration keeps it from serving. */
  closed?: string | undefined;
}): DeployError {
  const { runner, found, compared, isTyped, closed } = facts;
  return new DeployError({
    code: 'TakenBackBefore',
    what: `${runner} would be deployed as in deployment ${found.id}, which was taken back; no shard was touched.`,
    why: [`At ${found.at}: ${found.why}.`, capital(compared)],
    fix: [
      ...(closed === undefined
        ? []
        : [
            {
              say: `Open ${closed} again, which is active`,
              command: 'activate',
              runner,
              more: inShell`--shard ${closed}`,
            },
          ]),
      `With what was wrong changed in the configuration, or another image, ${isTyped ? 'deploy once more' : 'start a new pipeline'}.`,
      isTyped
        ? { say: 'The same once more', again: 'deploy', runner, more: '--again REASON' }
        : 'The same once more: a new pipeline with the variable HOSTED_RUNNER_AGAIN="why it is good now".',
    ],
  });
}
