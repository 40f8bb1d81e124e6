import type { RegistryTerms } from '../domain/registry-terms.ts';
import { capital } from '../domain/text/capital.ts';
import { formatMinute } from '../domain/text/duration.ts';
import type { CommandToType, Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError } from './deploy-error.ts';

/**
 * @param goes possible next step: without an unfinished deployment, before the switch, or after it
 *   with the commands that finish it
 */
export function nothingToRollBack(
  runner: string,
  reason: string,
  goes: 'deploy' | 'recover' | { readonly finish: readonly Line[] },
): DeployError {
  const on = (text: string, command: string) => ({ text, command, runner });
  const fixes = {
    deploy: [on('Deploy the other shard', 'deploy')],
    recover: [{ ...on('Recover the candidate', 'recover --method auto'), wantsYes: true as const }],
  };
  const fix =
    typeof goes === 'string'
      ? fixes[goes]
      : [...goes.finish, on('Then deploy the other shard', 'deploy')];
  return new DeployError({
    code: 'NothingToRollBack',
    what: `${runner} cannot be rolled back; nothing was touched.`,
    why: [`${capital(reason)}.`],
    fix: [...fix, on('Check both shards', 'status')],
  });
}

export function startUnproven(facts: {
  runner: string;
  shard: string;
  host: string;
  reason: string;
  /** The typed command. */
  again: string;
}): DeployError {
  const { runner, shard, host, again } = facts;
  return new DeployError({
    code: 'StartUnproven',
    what: `The runner process of ${shard} on ${host} was started again, but it is not running.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      { text: "Read the host's log", command: 'doctor', runner, more: '--logs' },
      `Try again: ${again}`,
      { text: `Check ${shard}, and remove it if it is unhealthy`, command: 'provision', runner },
    ],
  });
}

/**
 * @param facts.goes possible next step: a rollback to either shard, the other shard, the candidate,
 *   the begun deployment, or a new one
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
  /**
   * Whether a failed activation of it is not undone yet, even if a part of it could accept a job.
   */
  isRolledBack?: boolean;
}): DeployError {
  const { runner, shard, other, goes, isRolledBack = false } = facts;
  const on = (text: string, command: string) => ({ text, command, runner });
  const recovers = (text: string) =>
    ({ ...on(text, 'recover --method auto'), wantsYes: true }) as const;
  const fixes = {
    rollback: [on(`Roll back to ${shard}, which starts its process again`, 'rollback')],
    rollback_to_other: [on(`Roll back to ${other}`, 'rollback')],
    activate_other: [
      { ...on(`Make ${other} active again`, 'activate'), more: inShell`--shard ${other}` },
    ],
    recover: [recovers(`Recover ${shard}`)],
    recover_other: [recovers(`Recover the candidate, ${other}`)],
    deploy: [on('Build a new shard', 'deploy')],
  };
  const fix =
    typeof goes === 'string' ? fixes[goes] : [...goes.finish, on('Then deploy again', 'deploy')];
  return new DeployError({
    code: 'CannotActivate',
    what: `${shard} cannot be activated${isRolledBack ? ' while its last activation is being undone' : ', because it cannot accept jobs'}; nothing was touched.`,
    why: [`${capital(facts.reason)}.`],
    fix: [...fix, on('Check both shards', 'status')],
  });
}

export function noSuchRegistration(facts: {
  runner: string;
  shard: string;
  reason: string;
  /** Runners with its description, if there are several. */
  found: readonly string[];
  words: Pick<RegistryTerms, 'adopt' | 'adoptOne' | 'registration'>;
  /** Whether no runner has its description, and no other was named. */
  isMissing?: boolean;
  /** Whether no runner has the typed id. */
  isMistyped?: boolean;
}): DeployError {
  const { runner, shard, reason, found, words, isMissing = false, isMistyped = false } = facts;
  const adopt = isMissing ? words.adopt : words.adoptOne;
  const activate = (text: string, more: readonly string[] = []) => ({
    text,
    command: 'activate',
    runner,
    more: inShell`--shard ${shard} ${more}`,
  });
  return new DeployError({
    code: 'NoSuchRegistration',
    what: `${shard} cannot be activated: its ${words.registration} is unknown.`,
    why: [`${capital(reason)}.`],
    fix: [
      // Prints only ids that were found, because operators type them.
      ...found.slice(0, 2).map((id) => activate(`If ${id} is correct`, ['--registration', id])),
      isMistyped
        ? { text: 'Show the existing ids', command: 'status', runner }
        : activate(`${adopt.replaceAll('{name}', `${shard}-${runner}`)}, then`),
      ...(isMissing ? [{ text: 'If none exists, build one', command: 'deploy', runner }] : []),
    ],
  });
}

/** Rule 10: a runner that belongs to another shard, or may belong to others, is not taken over. */
export function registrationOfOtherShard(
  facts: {
    runner: string;
    shard: string;
    id: string;
    reason: string;
    words: Pick<RegistryTerms, 'adopt' | 'registration'>;
  } & (
    | { kind: 'others' }
    /** No source proves the owner. */
    | { kind: 'unproven' }
    /** The activation was started with the `recorded` runner. */
    | { kind: 'begun_with_another'; recorded: string; goes: 'activate' | 'finalize' | undefined }
  ),
): DeployError {
  const { runner, reason, words } = facts;
  return new DeployError({
    code: 'RegistrationOfAnotherShard',
    what: `${whose(facts)}; nothing was touched.`,
    why: [`${capital(reason)}.`],
    fix: [
      { text: `Show the ${words.registration} of each shard`, command: 'status', runner },
      ...instead(facts),
    ],
  });
}

type Another = Parameters<typeof registrationOfOtherShard>[0];

function whose(facts: Another): string {
  const { kind, shard, id, words } = facts;
  if (kind === 'begun_with_another')
    return `The activation of ${shard} already uses ${words.registration} ${facts.recorded}, so it cannot use ${id}`;
  const refused = `so ${shard} cannot be activated with it`;
  return kind === 'others'
    ? `${capital(words.registration)} ${id} does not belong to ${shard}, ${refused}`
    : `It is not confirmed that ${words.registration} ${id} belongs to ${shard}, ${refused}`;
}

function instead(facts: Another): readonly Line[] {
  const { kind, runner, shard, words } = facts;
  const activate = { command: 'activate', runner, more: inShell`--shard ${shard}` };
  if (kind === 'others')
    return [{ text: `Activate ${shard} with its own ${words.registration}`, ...activate }];
  if (kind === 'unproven') {
    const adopt = words.adopt.replaceAll('{name}', `${shard}-${runner}`);
    return [{ text: `${adopt} (only if it belongs to ${shard}), then`, ...activate }];
  }
  if (facts.goes === 'activate')
    return [{ text: `Resume with ${words.registration} ${facts.recorded}`, ...activate }];
  if (facts.goes === undefined) return [];
  return [{ text: 'Finish the deployment', command: facts.goes, runner }];
}

/** @param facts.shard text to type for the confirmation; absent for a plan, which `yes` confirms */
export function notConfirmed(facts: {
  shard?: string;
  command: CommandToType;
  typed?: string;
}): DeployError {
  const { shard, typed } = facts;
  return new DeployError({
    code: 'NotConfirmed',
    what: `${shard === undefined ? 'The plan' : `The command for ${shard}`} was not confirmed; nothing was touched.`,
    why: [
      typed === undefined
        ? 'Without a terminal, --yes is required.'
        : `${capital(typed === '' ? 'nothing' : JSON.stringify(typed.slice(0, 40)))} was typed instead of ${shard ?? 'yes'}.`,
    ],
    fix: [
      {
        text: shard === undefined ? 'If the plan is right' : `If ${shard} is the right shard`,
        ...facts.command,
        wantsYes: true,
      },
    ],
  });
}

/** A configuration that was rolled back is not deployed again without an explicit option. */
export function rolledBackBefore(facts: {
  runner: string;
  found: { readonly id: string; readonly at: string; readonly why: string };
  /** Sentences with the identical parts of both configurations, and the compared keys. */
  compared: readonly string[];
  isTyped: boolean;
  /** The active shard, if only its paused runner keeps it from accepting jobs. */
  closed?: string | undefined;
}): DeployError {
  const { runner, found, compared, isTyped, closed } = facts;
  return new DeployError({
    code: 'TakenBackBefore',
    what: `Refusing to redeploy ${runner}: the same configuration was rolled back in deployment ${found.id}; no shard was touched.`,
    why: [`At ${formatMinute(found.at)}, ${found.why}.`, ...compared],
    fix: [
      ...(closed === undefined
        ? []
        : [
            {
              text: `Reopen ${closed}, the active shard`,
              command: 'activate',
              runner,
              more: inShell`--shard ${closed}`,
            },
          ]),
      `Fix the cause in the configuration or the image, then ${isTyped ? 'deploy again' : 'start a new pipeline'}.`,
      isTyped
        ? { text: 'Or deploy again without a fix', again: 'deploy', runner, more: '--again REASON' }
        : 'Or deploy again without a fix: start a new pipeline with the variable HOSTED_RUNNER_AGAIN="why it is good now".',
    ],
  });
}
