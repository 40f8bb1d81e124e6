import { capital } from '../domain/text/capital.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError } from './deploy-error.ts';
import { pauseNow } from './healthcheck-errors.ts';

/** Errors about shards: guards, health, drain. One function a code. */

export function inactiveShardHealthy(facts: {
  runner: string;
  candidate: string;
  reason: string;
  /** In quarantine, a job that is not ours: it ends, or somebody ends it. */
  waitsFor?: string;
  /** How a person undoes what opened it, where nobody means it to serve: an instruction without a dot. */
  open?: string;
  stage: string;
}): DeployError {
  const { runner, candidate, waitsFor, open, stage } = facts;
  return new DeployError({
    code: 'InactiveShardHealthy',
    what: 'Inactive shard appears healthy, aborting to avoid unsafe deploy.',
    why: [`${candidate}: ${facts.reason}.`],
    fix: [
      waitsFor === undefined
        ? {
            say: 'If it is the one that should serve',
            command: 'activate',
            runner,
            more: inShell`--shard ${candidate}`,
          }
        : { say: `When ${waitsFor} has ended`, again: stage, runner },
      ...(open === undefined ? [] : [{ say: `If it is not, ${open}, then`, again: stage, runner }]),
      { say: 'Look at both shards', command: 'status', runner },
    ],
  });
}

export function runsOnItself(facts: {
  runner: string;
  stage: string;
  reason: string;
}): DeployError {
  return new DeployError({
    code: 'RunsOnTheShardItTouches',
    what: `${facts.stage} refuses to touch the runner that runs it.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      `Give the jobs of ${facts.runner}'s deployment tags of another runner, and run the job again.`,
    ],
  });
}

/** Whose runner it is, and which of two is right, no program can tell. */
const mends = {
  TokenLost: 'Nobody can have that token again: remove what was built with it, and begin anew',
  DuplicateRegistrations: 'Delete the one of them that nobody uses, then',
  ForeignRegistration: 'Give it another description, or delete it, then',
} as const;
const cleanup = { command: 'recover --method cleanup', wantsYes: true } as const;

export function onboardingRefused(facts: {
  code: 'TokenLost' | 'DuplicateRegistrations' | 'ForeignRegistration';
  runner: string;
  candidate: string;
  reason: string;
  /** The shard whose activation was typed; absent: a stage was. */
  activates?: string;
}): DeployError {
  const { runner, activates } = facts;
  const goesOn =
    activates === undefined
      ? { ...(facts.code === 'TokenLost' ? cleanup : { command: 'provision' }), runner }
      : { command: 'activate', runner, more: inShell`--shard ${activates}` };
  return new DeployError({
    code: facts.code,
    what: `The registration of ${facts.candidate} is not one that can be used safely.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      { say: mends[facts.code], ...goesOn },
      { say: 'Look at both shards', command: 'status', runner },
    ],
  });
}

export function healthInconclusive(facts: {
  runner: string;
  candidate: string;
  within: string;
  reasons: readonly string[];
  /** What the cause needs, each without its full stop. */
  acts?: readonly string[];
  byHand?: string;
  /** What of it still takes customers' jobs. */
  open?: string;
  /** The command that collects the evidence once more, if not `provision`. */
  again?: 'healthcheck';
}): DeployError {
  return new DeployError({
    code: 'HealthInconclusive',
    what: `Whether ${facts.candidate} is healthy could not be found out within ${facts.within}; that is not counted against it.`,
    why: facts.reasons.map((reason) => `${capital(reason)}.`),
    fix: [
      ...pauseNow(facts.open),
      ...(facts.acts ?? []).map((act) => `${act}.`),
      ...(facts.byHand === undefined ? [] : [`${capital(facts.byHand)}.`]),
      { say: 'When the cause is mended', again: facts.again ?? 'provision', runner: facts.runner },
    ],
  });
}

/** A fault of the settings of the project, so nothing is counted against the candidate. */
export function canaryExposed(facts: {
  runner: string;
  candidate: string;
  secrets: readonly string[];
  url: string;
  /** What of it still takes customers' jobs. */
  open?: string;
  /** As of `healthInconclusive`. */
  again?: 'healthcheck';
}): DeployError {
  const secrets = facts.secrets.join(' and ');
  const [it, they] =
    facts.secrets.length === 1 ? ['it', 'the variable has'] : ['them', 'the variables have'];
  return new DeployError({
    code: 'HealthInconclusive',
    what: `The canary of ${facts.candidate} was given ${secrets}, so it proves nothing; that is not counted against ${facts.candidate}.`,
    why: [
      `Job ${facts.url} ran on a host that also runs customers' jobs, and ${they} the environment scope * in the project, in a group or in the instance.`,
    ],
    fix: [
      ...pauseNow(facts.open),
      `Define ${secrets} in the project only, with the environment scope that docs/use/gitlab.md (The token and the canary) names, and replace ${it}: a job may have read ${it}.`,
      { say: 'Then run it again', again: facts.again ?? 'provision', runner: facts.runner },
    ],
  });
}

export function retreated(facts: {
  runner: string;
  candidate: string;
  reasons: readonly string[];
  /** A person's registration that was given back and has the candidate's description, such as `runner 48002`. */
  inTheWay?: string;
}): DeployError {
  const { inTheWay } = facts;
  const left = `${capital(inTheWay ?? '')}, which a person has made, was given back as it was.`;
  return new DeployError({
    code: 'Retreated',
    what: `${facts.candidate} turned unhealthy before the switch; it was taken back and removed.`,
    why: [
      ...facts.reasons.map((reason) => `${capital(reason)}.`),
      ...(inTheWay === undefined ? [] : [left]),
    ],
    fix: [
      {
        say:
          inTheWay === undefined
            ? 'Build it anew'
            : `Give ${inTheWay} another description, or delete it, then build ${facts.candidate} anew`,
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
    what: `${facts.shard} is not removed: it is not drained, and not proven never to have served.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      { say: 'Check it again', again: 'provision', runner: facts.runner },
      { say: 'Look at both shards', command: 'status', runner: facts.runner },
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
    what: `The runner process of ${facts.shard} got the signal to quit, and its exit is not proven.`,
    why: [`${capital(facts.reason)}.`],
    fix: [{ say: 'Look again', again: facts.stage, runner: facts.runner }],
  });
}

export function leftovers(facts: {
  runner: string;
  shard: string;
  left: readonly string[];
  /** How a person removes what this program does not; empty where there is none. */
  byHand: string;
  stage: string;
}): DeployError {
  return new DeployError({
    code: 'LeftoversRemain',
    what: `${facts.shard} was destroyed, and ${facts.left.length} of its pieces are still seen.`,
    why: facts.left,
    fix: [
      ...(facts.byHand === '' ? [] : [facts.byHand]),
      { say: 'Run it again', again: facts.stage, runner: facts.runner },
    ],
  });
}

export function sharedRegistration(facts: { runner: string; id: string }): DeployError {
  return new DeployError({
    code: 'SharedRegistration',
    what: `Both shards of ${facts.runner} use runner ${facts.id}; pausing it would pause the active shard.`,
    why: ['A shard needs a registration of its own.'],
    fix: [{ say: 'Look at both shards', command: 'status', runner: facts.runner }],
  });
}
