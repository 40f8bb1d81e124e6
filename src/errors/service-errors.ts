import { type DeploymentKind, isLeftToOperator } from '../domain/deployment/record.ts';
import { undoStep } from '../domain/doctor/commands.ts';
import type { Service } from '../domain/health/service-verdict.ts';
import { capital } from '../domain/text/capital.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { DeployError } from './deploy-error.ts';
import { cancelled } from './external-errors.ts';
import {
  activateLine,
  activateOtherLine,
  forceRemovalLines,
  rollbackLines,
} from './recovery-lines.ts';

/** A shard that can still accept jobs is kept, because the other shard is not verified. */
export function serviceUnproven(facts: {
  runner: string;
  stage: string;
  shard: string;
  other: string;
  /** Use that a removal would end: `runner 48213 of pink has production tags`. */
  use: string;
  service: Exclude<Service, { kind: 'proven' }>;
  /** Kind of the deployment if a rollback is possible; an `activate` undoes a rollback. */
  back: DeploymentKind | undefined;
  /** Whether a shard that cannot accept jobs may be removed nevertheless. */
  canForceRemoval: boolean;
  /** Whether the shard is a candidate that only an operator unpauses. */
  opens?: boolean;
}): DeployError {
  const { runner, shard, other, use, service, canForceRemoval } = facts;
  const isUnknown = service.kind === 'unknown';
  return new DeployError({
    code: isUnknown ? 'ServiceUnproven' : 'NothingServes',
    what: `${shard} was kept, because ${isUnknown ? `no check verified that ${other} accepts jobs` : `${other} does not accept jobs`}.`,
    why: [
      `${capital(service.reason)}.`,
      ...(isUnknown ? [`Missing: ${service.missing}.`] : []),
      `${capital(use)}.`,
    ],
    fix: [
      ...(service.kind === 'closed' && service.absent !== true ? reopens(facts) : waits(facts)),
      ...forceRemovalLines(runner, shard, canForceRemoval),
    ],
  });
}

type Unproven = Parameters<typeof serviceUnproven>[0];

function reopens({ runner, shard, other, back }: Unproven): readonly Line[] {
  return [
    activateLine({ runner, shard: other }),
    { text: 'Then finish the deployment', command: 'finalize', runner },
    ...rollbackLines({ runner, shard, back }),
  ];
}

function waits({ runner, stage, shard, other, back, opens }: Unproven): readonly Line[] {
  return [
    ...rollbackLines({ runner, shard, back }),
    ...(opens === true ? [activateLine({ runner, shard })] : []),
    { text: `Once ${other} accepts jobs, resume`, again: stage, runner },
  ];
}

/** The promoted shard stopped accepting jobs while the old one was paused for its drain. */
export function serviceLost(facts: {
  runner: string;
  stage: string;
  drained: string;
  other: string;
  service: Exclude<Service, { kind: 'proven' }>;
  opened: boolean;
  /** Whether an operator paused it before its drain: hosted-runner then does not unpause it. */
  pausedByOther: boolean;
  /** Possible actors of a pause whose actor is unknown. */
  doubt?: string | undefined;
  /** Whether it is a candidate that only an operator unpauses. */
  opens?: boolean;
  times: number;
  /** Absent if no rollback is possible. */
  back: DeploymentKind | undefined;
  /** Whether a shard that cannot accept jobs may be removed nevertheless. */
  canForceRemoval: boolean;
}): DeployError {
  const { runner, drained, other, service, opened, times, doubt, back, canForceRemoval } = facts;
  const closed = facts.pausedByOther
    ? `${drained} stays paused: it was paused outside hosted-runner before its drain`
    : `${drained} could not be reopened`;
  const state =
    service.kind === 'unknown' ? 'is no longer verified to accept jobs' : 'no longer accepts jobs';
  return new DeployError({
    code: 'ServiceLost',
    what: opened
      ? `${other} ${state}. ${drained} was reopened, and no resource of ${drained} was removed.`
      : `${other} ${state}. ${capital(closed)}.`,
    why: [
      `${capital(service.reason)}.`,
      ...(service.kind === 'unknown' ? [`Missing: ${service.missing}.`] : []),
      ...(doubt === undefined ? [] : [`${capital(drained)} had been paused ${doubt}.`]),
      ...(times > 1 ? [`${drained} was reopened ${times} times in this deployment.`] : []),
    ],
    fix: [
      ...rollbackLines({ runner, shard: drained, back }),
      ...(facts.opens === true ? [activateLine({ runner, shard: drained })] : []),
      ...nextLines(facts),
      ...forceRemovalLines(runner, drained, canForceRemoval),
    ],
  });
}

/**
 * Lists the next steps. Without any machine left, an operator has nothing to fix: only other ways
 * remain.
 */
function nextLines(facts: Parameters<typeof serviceLost>[0]): readonly Line[] {
  const { runner, stage, other, service, times, back, canForceRemoval, opens } = facts;
  const isGone = service.kind === 'disproven' && service.gone === true;
  if (isGone && back === undefined && !canForceRemoval && opens !== true)
    return [{ text: 'Diagnose the stack', command: 'doctor', runner }];
  if (isGone || (isLeftToOperator(times) && canForceRemoval)) return [];
  if (isLeftToOperator(times))
    return [activateOtherLine({ runner, other, back, isDead: service.kind === 'disproven' })];
  const fix = capital(back === undefined ? 'fix' : 'or fix');
  return [{ text: `${fix} ${other}, then resume`, again: stage, runner }];
}

/** An unstable shard does not cause endless pauses and reopens of the other shard. */
export function reopenedTwice(facts: {
  runner: string;
  drained: string;
  other: string;
  times: number;
  why: string;
  back: DeploymentKind | undefined;
  /** Whether neither shard accepts jobs: the drained one may then be removed. */
  canForceRemoval: boolean;
}): DeployError {
  const { runner, drained, other, times, why, back, canForceRemoval } = facts;
  const stay = activateOtherLine({ runner, other, back });
  return new DeployError({
    code: 'OpenedAgainTwice',
    what: `${drained} was reopened ${times} times because ${other} stopped accepting jobs. hosted-runner does not pause ${drained} again.`,
    why: [`The last reason: ${why}.`],
    fix: [
      ...rollbackLines({ runner, shard: drained, back }),
      ...(canForceRemoval
        ? [
            { text: 'Diagnose the stack', command: 'doctor', runner },
            ...forceRemovalLines(runner, drained, true),
          ]
        : [stay]),
    ],
  });
}

/** A cancelled drain permits one effect: it reopens the old shard if no shard accepts jobs. */
export function cancelledOpened(facts: {
  runner: string;
  stage: string;
  again: string;
  drained: string;
  other: string;
  service: Exclude<Service, { kind: 'proven' }>;
  kind: DeploymentKind;
  /** False if it was never paused, or its pause had not arrived yet. */
  opened: boolean;
  /** Number of reopens in this deployment. */
  times: number;
}): DeployError {
  const { runner, stage, again, drained, other, service, kind, opened, times } = facts;
  return new DeployError({
    code: 'Cancelled',
    what: `${stage} was cancelled.`,
    why: [
      `After the signal, ${drained} ${opened ? 'was reopened' : 'was not paused and stays unpaused'}, because it is not verified that ${other} accepts jobs. ${capital(service.reason)}. No other change was started.`,
    ],
    fix: [
      { text: `Make ${drained} active again`, ...undoStep(kind, drained), runner },
      isLeftToOperator(times)
        ? activateOtherLine({ runner, other, back: kind })
        : `Or resume the run, which verifies ${other} again: ${again}`,
    ],
  });
}

/** A cancelled drain that leaves its shard paused. */
export function cancelledPaused(facts: {
  stage: string;
  again: string;
  drained: string;
  why: string;
}): DeployError {
  const { stage, again, drained, why } = facts;
  const { written } = cancelled(stage, again);
  return new DeployError({
    ...written,
    why: [...(written.why ?? []), `${capital(drained)} stays paused, because ${why}.`],
  });
}

/** Another actor unpaused a shard that the drain had paused. */
export function openedByOther(facts: {
  runner: string;
  stage: string;
  shard: string;
  registration: string;
  words: { readonly registration: string; readonly paused: string; readonly unpaused: string };
  /** Absent if no rollback is possible. */
  back: DeploymentKind | undefined;
  /** Whether hosted-runner may have ended its process already. */
  isStopped: boolean;
  /** Whether an operator paused it before its drain. */
  pausedByOther: boolean;
  /**
   * Set for a candidate in retreat. `refused`: reason why it cannot be activated; undefined if it
   * can.
   */
  retreat?: { readonly refused: string | undefined };
}): DeployError {
  const { runner, stage, shard, registration, words, back, isStopped, retreat } = facts;
  const closed = facts.pausedByOther
    ? `The ${words.registration} was ${words.paused} before the drain, but it`
    : `The drain paused the ${words.registration}, but it`;
  const mayStay = retreat !== undefined && retreat.refused === undefined;
  const name = `${words.registration} ${registration}`;
  return new DeployError({
    code: 'OpenedByOther',
    what: `An operator or another program unpaused ${name} of ${shard} during the drain. hosted-runner leaves it unpaused.`,
    why: [
      `${closed} is ${words.unpaused} now. ${isStopped ? `The process may be stopped; unpausing the ${words.registration} does not restart it` : 'No process was stopped'}.`,
      ...(retreat?.refused === undefined
        ? []
        : [`${capital(shard)} cannot be kept and activated, because ${retreat.refused}.`]),
    ],
    fix: [
      ...rollbackLines({ runner, shard, back }),
      ...(mayStay ? [activateOtherLine({ runner, other: shard, back, isDead: true })] : []),
      {
        text: capital(
          `${back === undefined && !mayStay ? '' : 'or '}pause ${name} yourself, then resume`,
        ),
        // An activation starts again; `provision` resumes a retreat.
        again: retreat !== undefined && stage === 'activate' ? 'provision' : stage,
        runner,
      },
    ],
  });
}
