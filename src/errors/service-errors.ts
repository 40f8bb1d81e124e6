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

/** What can still serve is not taken away, because the other shard is not proven to. */
export function serviceUnproven(facts: {
  runner: string;
  stage: string;
  shard: string;
  other: string;
  /** What would be lost: `runner 48213 of pink has production tags`. */
  use: string;
  service: Exclude<Service, { kind: 'proven' }>;
  /** Whether a rollback can go back to the shard; `activate` turns a rollback around. */
  back: DeploymentKind | undefined;
  /** Whether what cannot serve may be taken all the same. */
  wayOut: boolean;
  /** Whether the shard is a candidate that only a person opens. */
  opens?: boolean;
}): DeployError {
  const { runner, shard, other, use, service, wayOut } = facts;
  const isUnknown = service.kind === 'unknown';
  return new DeployError({
    code: isUnknown ? 'ServiceUnproven' : 'NothingServes',
    what: `${capital(use)}, and ${other} ${isUnknown ? 'is not proven to serve' : 'does not serve'}: nothing of ${shard} is taken away.`,
    why: [`${capital(service.reason)}.`, ...(isUnknown ? [`Missing is ${service.missing}.`] : [])],
    fix: [
      ...(service.kind === 'closed' && service.absent !== true ? reopens(facts) : waits(facts)),
      ...forceRemovalLines(runner, shard, wayOut),
    ],
  });
}

type Unproven = Parameters<typeof serviceUnproven>[0];

function reopens({ runner, shard, other, back }: Unproven): readonly Line[] {
  return [
    activateLine({ runner, shard: other }),
    { say: 'Then finish what is begun', command: 'finalize', runner },
    ...rollbackLines({ runner, shard, back }),
  ];
}

function waits({ runner, stage, shard, other, back, opens }: Unproven): readonly Line[] {
  return [
    ...rollbackLines({ runner, shard, back }),
    ...(opens === true ? [activateLine({ runner, shard })] : []),
    { say: `Look at both shards, and once ${other} serves go on`, again: stage, runner },
  ];
}

/** The promoted shard stopped serving while the old one was closed for its drain. */
export function serviceLost(facts: {
  runner: string;
  stage: string;
  drained: string;
  other: string;
  service: Exclude<Service, { kind: 'proven' }>;
  opened: boolean;
  /** A person has closed it before its drain did, so that we do not open it. */
  pausedByOther: boolean;
  /** Who may have closed what was opened, where nobody can tell. */
  doubt?: string | undefined;
  /** Whether it is a candidate that only a person opens. */
  opens?: boolean;
  times: number;
  /** Absent where there is no way back. */
  back: DeploymentKind | undefined;
  /** Whether what cannot serve may be taken all the same. */
  wayOut: boolean;
}): DeployError {
  const { runner, drained, other, service, opened, times, doubt, back, wayOut } = facts;
  const closed = facts.pausedByOther
    ? `${drained} stays closed, as somebody else closed it before its drain`
    : `${drained} could not be opened again`;
  const serves =
    service.kind === 'unknown' ? 'is not proven to serve any more' : 'no longer serves';
  return new DeployError({
    code: 'ServiceLost',
    what: opened
      ? `${other} ${serves}; ${drained} is open again, and nothing of it was taken away.`
      : `${other} ${serves}, and ${closed}.`,
    why: [
      `${capital(service.reason)}.`,
      ...(service.kind === 'unknown' ? [`Missing is ${service.missing}.`] : []),
      ...(doubt === undefined ? [] : [`${capital(drained)} had been closed ${doubt}.`]),
      ...(times > 1 ? [`${drained} was opened again ${times} times in this deployment.`] : []),
    ],
    fix: [
      ...rollbackLines({ runner, shard: drained, back }),
      ...(facts.opens === true ? [activateLine({ runner, shard: drained })] : []),
      ...goOn(facts),
      ...forceRemovalLines(runner, drained, wayOut),
    ],
  });
}

/** Where nothing of it is left there is nothing that a person could mend: the other ways are the ways. */
function goOn(facts: Parameters<typeof serviceLost>[0]): readonly Line[] {
  const { runner, stage, other, service, times, back, wayOut, opens } = facts;
  const isGone = service.kind === 'disproven' && service.gone === true;
  if (isGone && back === undefined && !wayOut && opens !== true)
    return [{ say: 'Look at everything', command: 'doctor', runner }];
  if (isGone || (isLeftToOperator(times) && wayOut)) return [];
  if (isLeftToOperator(times))
    return [activateOtherLine({ runner, other, back, isDead: service.kind === 'disproven' })];
  const mend = capital(back === undefined ? 'mend' : 'or mend');
  return [{ say: `${mend} ${other}, which is looked at anew`, again: stage, runner }];
}

/** A shard that keeps coming and going is no reason to open and close the other one for ever. */
export function reopenedTwice(facts: {
  runner: string;
  drained: string;
  other: string;
  times: number;
  why: string;
  back: DeploymentKind | undefined;
  /** Whether neither serves, so that the drained one may be taken all the same. */
  wayOut: boolean;
}): DeployError {
  const { runner, drained, other, times, why, back, wayOut } = facts;
  const stay = activateOtherLine({ runner, other, back });
  return new DeployError({
    code: 'OpenedAgainTwice',
    what: `${drained} was opened again ${times} times, because ${other} stopped serving; it is not closed once more.`,
    why: [`The last time: ${why}.`],
    fix: [
      ...rollbackLines({ runner, shard: drained, back }),
      ...(wayOut ? forceRemovalLines(runner, drained, true) : [stay]),
    ],
  });
}

/** A cancel of a drain allows one effect: the old shard is not left closed while nothing serves. */
export function cancelledOpened(facts: {
  runner: string;
  stage: string;
  again: string;
  drained: string;
  other: string;
  service: Exclude<Service, { kind: 'proven' }>;
  kind: DeploymentKind;
  /** Or it was open, be it that its pause had not come yet. */
  opened: boolean;
  /** How often it was opened in this deployment. */
  times: number;
}): DeployError {
  const { runner, stage, again, drained, other, service, kind, opened, times } = facts;
  return new DeployError({
    code: 'Cancelled',
    what: `${stage} was cancelled.`,
    why: [
      `After the signal ${drained} ${opened ? 'was opened again' : 'was found open and stays so'}, as ${other} is not proven to serve: ${service.reason}. No other effect was begun.`,
    ],
    fix: [
      { say: `Go back to ${drained}`, ...undoStep(kind, drained), runner },
      isLeftToOperator(times)
        ? activateOtherLine({ runner, other, back: kind })
        : `Or go on where it stopped, which proves ${other} anew: ${again}`,
    ],
  });
}

/** The same of one that stays closed. */
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
    why: [...(written.why ?? []), `${capital(drained)} was left closed, as ${why}.`],
  });
}

/** Somebody opened what our drain had closed. */
export function openedByOther(facts: {
  runner: string;
  stage: string;
  shard: string;
  registration: string;
  words: { readonly registration: string; readonly paused: string; readonly unpaused: string };
  /** Absent where there is no way back. */
  back: DeploymentKind | undefined;
  /** Its process may have ended already, by us. */
  isStopped: boolean;
  /** A person had closed it before its drain did. */
  pausedByOther: boolean;
  /** Of a candidate that is taken back: why an activation of it would be refused; undefined: it would not be. */
  retreat?: { readonly refused: string | undefined };
}): DeployError {
  const { runner, stage, shard, registration, words, back, isStopped, retreat } = facts;
  const closed = facts.pausedByOther
    ? 'It was closed as its drain began'
    : 'Our drain had closed it';
  const mayStay = retreat !== undefined && retreat.refused === undefined;
  const name = `${words.registration} ${registration}`;
  return new DeployError({
    code: 'OpenedByOther',
    what: `${capital(name)} of ${shard} was opened by somebody else while it drained; it is left open.`,
    why: [
      `${closed}, and it is ${words.unpaused} now. ${isStopped ? 'Its process may have been stopped before, and to open it starts none' : 'Nothing was stopped'}.`,
      ...(retreat?.refused === undefined
        ? []
        : [`${capital(shard)} cannot be activated, so that it is not kept: ${retreat.refused}.`]),
    ],
    fix: [
      ...rollbackLines({ runner, shard, back }),
      ...(mayStay ? [activateOtherLine({ runner, other: shard, back, isDead: true })] : []),
      {
        say: capital(
          `${back === undefined && !mayStay ? '' : 'or '}close it by hand, so that it is ${words.paused}, and go on`,
        ),
        // An activation begins anew, and what is taken back goes on by what builds.
        again: retreat !== undefined && stage === 'activate' ? 'provision' : stage,
        runner,
      },
    ],
  });
}
