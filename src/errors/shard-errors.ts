import { capital } from '../domain/text/capital.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError } from './deploy-error.ts';
import { pauseNow } from './healthcheck-errors.ts';

/** Errors about shards: guards, health, drain. One function per code. */

export function inactiveShardHealthy(facts: {
  runner: string;
  candidate: string;
  reason: string;
  /** Set in quarantine: a customer job, which must end or be cancelled. */
  waitsFor?: string;
  /** Instruction to undo an unintended unpause, without a full stop. */
  open?: string;
  stage: string;
}): DeployError {
  const { runner, candidate, waitsFor, stage } = facts;
  return new DeployError({
    code: 'InactiveShardHealthy',
    what: 'Inactive shard appears healthy, aborting to avoid unsafe deploy.',
    why: [`${capital(facts.reason)}.`],
    fix: [
      waitsFor === undefined
        ? {
            text: `If ${candidate} should accept jobs`,
            command: 'activate',
            runner,
            more: inShell`--shard ${candidate}`,
          }
        : { text: `When ${waitsFor} has ended`, again: stage, runner },
      ...(waitsFor === undefined ? [pauseLine(facts)] : []),
      { text: 'Check both shards', command: 'status', runner },
    ],
  });
}

function pauseLine({ open, stage, runner }: Parameters<typeof inactiveShardHealthy>[0]): Line {
  return open === undefined
    ? 'If it should not, pause its runner, wait until its jobs have ended, and run this again.'
    : { text: `If it should not, ${open}, then`, again: stage, runner };
}

export function runsOnItself(facts: {
  runner: string;
  stage: string;
  reason: string;
}): DeployError {
  return new DeployError({
    code: 'RunsOnTheShardItTouches',
    what: `${facts.stage} cannot change the shard whose runner runs this job.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      `Give ${facts.runner}'s deployment jobs the tags of another runner, and run the job again.`,
    ],
  });
}

/** Fixes by code: only an operator can decide which of two runners is right, and its owner. */
const fixes = {
  TokenLost:
    'The token cannot be retrieved again. Remove everything that was built with it, and start again',
  DuplicateRegistrations: 'Delete the unused one of these runners, then',
  ForeignRegistration: 'Give this runner another description, or delete it, then',
} as const;
const troubles = {
  TokenLost: (shard: string) => `The token of ${shard}'s runner cannot be used.`,
  DuplicateRegistrations: (shard: string) => `Several runners have the description of ${shard}.`,
  ForeignRegistration: (shard: string) =>
    `A runner that hosted-runner did not create has the description of ${shard}'s runner.`,
} as const;
const cleanup = { command: 'recover --method cleanup', wantsYes: true } as const;

export function onboardingRefused(facts: {
  code: 'TokenLost' | 'DuplicateRegistrations' | 'ForeignRegistration';
  runner: string;
  candidate: string;
  reason: string;
  /** The shard whose activation was typed; absent for a stage. */
  activates?: string;
}): DeployError {
  const { runner, activates } = facts;
  const next =
    activates === undefined
      ? { ...(facts.code === 'TokenLost' ? cleanup : { command: 'provision' }), runner }
      : { command: 'activate', runner, more: inShell`--shard ${activates}` };
  return new DeployError({
    code: facts.code,
    what: troubles[facts.code](facts.candidate),
    why: [`${capital(facts.reason)}.`],
    fix: [
      { text: fixes[facts.code], ...next },
      { text: 'Check both shards', command: 'status', runner },
    ],
  });
}

export function healthInconclusive(facts: {
  runner: string;
  candidate: string;
  within: string;
  reasons: readonly string[];
  /** Actions against the cause, each without a full stop. */
  acts?: readonly string[];
  byHand?: string;
  /** Part of it that still accepts customer jobs. */
  open?: string;
  /** Command that collects the evidence again, if not `provision`. */
  again?: 'healthcheck';
}): DeployError {
  return new DeployError({
    code: 'HealthInconclusive',
    what: `The health of ${facts.candidate} could not be determined within ${facts.within}. This does not count as an unhealthy verdict.`,
    why: facts.reasons.map((reason) => `${capital(reason)}.`),
    fix: [
      ...pauseNow(facts.open),
      ...(facts.acts ?? []).map((act) => `${act}.`),
      ...(facts.byHand === undefined ? [] : [`${capital(facts.byHand)}.`]),
      { text: 'When the cause is fixed', again: facts.again ?? 'provision', runner: facts.runner },
    ],
  });
}

/** A fault in the settings of the project: it does not count against the candidate. */
export function canaryExposed(facts: {
  runner: string;
  candidate: string;
  secrets: readonly string[];
  url: string;
  /** Part of it that still accepts customer jobs. */
  open?: string;
  /** Command that collects the evidence again, if not `provision`. */
  again?: 'healthcheck';
}): DeployError {
  const secrets = facts.secrets.join(' and ');
  const [it, they, values] =
    facts.secrets.length === 1
      ? ['it', 'the variable has', 'value']
      : ['them', 'the variables have', 'values'];
  return new DeployError({
    code: 'HealthInconclusive',
    what: `The canary of ${facts.candidate} received ${secrets}, so the result of the canary is void. It does not count as an unhealthy verdict.`,
    why: [
      `${capital(they)} the environment scope * (in the project, a group or the instance).`,
      `Job ${facts.url} ran on a host that also runs customers' jobs.`,
    ],
    fix: [
      ...pauseNow(facts.open),
      `Define ${secrets} in the project only; its environment scope is in docs/use/gitlab.md, section The token and the canary. Replace the secret ${values}, because a job may have read ${it}.`,
      { text: 'Then run it again', again: facts.again ?? 'provision', runner: facts.runner },
    ],
  });
}

export function retreated(facts: {
  runner: string;
  candidate: string;
  reasons: readonly string[];
  /** A restored operator's runner with the candidate's description, such as `runner 48002`. */
  inTheWay?: string;
}): DeployError {
  const { inTheWay } = facts;
  const left = `${capital(inTheWay ?? '')}, which an operator created, was restored to its earlier settings.`;
  return new DeployError({
    code: 'Retreated',
    what: `${facts.candidate} became unhealthy before the switch, so the deployment removed it.`,
    why: [
      ...facts.reasons.map((reason) => `${capital(reason)}.`),
      ...(inTheWay === undefined ? [] : [left]),
    ],
    fix: [
      {
        text:
          inTheWay === undefined
            ? `Build ${facts.candidate} again`
            : `Give ${inTheWay} another description, or delete it, then build ${facts.candidate} again`,
        again: 'provision',
        runner: facts.runner,
      },
    ],
  });
}

export function cleanupRefused(facts: {
  runner: string;
  shard: string;
  reason: string;
}): DeployError {
  return new DeployError({
    code: 'CleanupRefused',
    what: `${facts.shard} was not removed: it is not drained, and it may have accepted jobs.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      { text: `Check ${facts.shard} again`, again: 'provision', runner: facts.runner },
      { text: 'Check both shards', command: 'status', runner: facts.runner },
    ],
  });
}

export function stopUnproven(facts: {
  runner: string;
  shard: string;
  reason: string;
  stage: string;
}): DeployError {
  return new DeployError({
    code: 'StopUnproven',
    what: `The runner process of ${facts.shard} received the signal to quit, but its exit is not confirmed.`,
    why: [`${capital(facts.reason)}.`],
    fix: [{ text: 'Check again', again: facts.stage, runner: facts.runner }],
  });
}

export function leftovers(facts: {
  runner: string;
  shard: string;
  left: readonly string[];
  /** Commands for resources that hosted-runner does not remove; empty if there are none. */
  byHand: string;
  stage: string;
}): DeployError {
  return new DeployError({
    code: 'LeftoversRemain',
    what: `${facts.shard} was destroyed, but ${facts.left.length} of its resources ${facts.left.length === 1 ? 'remains' : 'remain'}.`,
    why: facts.left,
    fix: [
      ...(facts.byHand === '' ? [] : [facts.byHand]),
      { text: 'Run it again', again: facts.stage, runner: facts.runner },
    ],
  });
}

export function sharedRegistration(facts: { runner: string; id: string }): DeployError {
  return new DeployError({
    code: 'SharedRegistration',
    what: `Both shards of ${facts.runner} use runner ${facts.id}; pausing it would pause the active shard.`,
    why: ['Each shard needs a separate runner.'],
    fix: [
      'Give the inactive shard a separate runner: docs/troubleshooting.md#sharedregistration.',
      { text: 'Check both shards', command: 'status', runner: facts.runner },
    ],
  });
}
