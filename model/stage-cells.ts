import type { Phase, StageName } from '../src/domain/deployment/stages-and-steps.ts';
import {
  done,
  type Fill,
  nothing,
  type Outcome,
  type Place,
  phaseOf,
  type Row,
  refused,
  row,
  walked,
} from './outcome.ts';

const bakeFinishedWords =
  'deployment {id} is done, and no bake is configured (bake.for is not set); start a new pipeline to deploy again';
const finishedWords = 'deployment {id} is done; start a new pipeline to deploy again';
const notPromoted =
  '{candidate} is not promoted; the deployment is in phase {phase}; {retiring} must continue to accept jobs';
export const nothingStarted = nothing('{runner} has no deployment; start a pipeline to deploy');

const inQuarantine: readonly Place[] = ['onboarded', 'applying', 'applied', 'healthy'];
const drains: readonly Place[] = ['draining', 'draining, idle'];
const promotedOn: readonly Place[] = [
  'promoted',
  ...drains,
  'drained',
  'drained, baking',
  'baked',
  'destroying',
];

const outOfOrder = (reason: string) => refused('StageOutOfOrder', 2, reason);
export const notPrepared = refused('NotPrepared', 2, 'there is no record');
export const finished = nothing(finishedWords);

/** Outcome of the next stage at each place. */
export const onward = [
  [['prepared'], walked('onboarded')],
  [[...inQuarantine, 'promoting', 'retreating'], walked('promoted')],
  [['promoted', ...drains], walked('drained')],
  [['drained, baking'], walked('baked')],
  [['drained', 'baked', 'destroying'], walked('done')],
  [['done'], finished],
] as const;

export const begun = done('prepared', 'candidate {candidate}, retiring shard {retiring}');
export const turned = done('prepared', 'candidate {retiring}, retiring shard {candidate}');
const keepsDirection = 'deployment {id} is in phase {phase}; the direction does not change';
/** Outcome of `shutdown` in a pipeline whose next job checks the bake. */
const staysAlive = done(
  'drained',
  '{retiring} is drained and stays alive until the bake of {candidate} ends, at … at the latest',
);
const promotedAlready = nothing('{candidate} is already promoted');

/** Outcome of every stage at every place, run by the deployment's own pipeline. */
export const stageCells: Readonly<Record<StageName, Row>> = {
  prepare: row(nothing(keepsDirection), [['none'], begun], [['done'], finished]),
  onboard: row(
    nothing('the deployment is in phase {phase}: its candidate has the production tags'),
    [['none'], notPrepared],
    [['prepared'], walked('onboarded')],
    [inQuarantine, (place) => walked(place as Phase)],
    [
      ['retreating'],
      nothing('the retreat of the candidate has started; provision finishes it and onboards again'),
    ],
    [['done'], finished],
  ),
  provision: row(
    () => walked('promoted'),
    [['none'], notPrepared],
    [promotedOn, promotedAlready],
    [['done'], finished],
  ),
  promote: row(
    outOfOrder('{candidate} has not been found healthy; the deployment is in phase {phase}'),
    [['none'], notPrepared],
    [['healthy', 'promoting'], walked('promoted')],
    [promotedOn, promotedAlready],
    [['done'], finished],
  ),
  shutdown: row(
    nothing(notPromoted),
    [['none'], notPrepared],
    [['promoted', ...drains, 'drained'], walked('drained')],
    [['drained, baking'], staysAlive],
    [['baked'], walked('baked')],
    [
      ['destroying'],
      nothing('{retiring} is stopped and is being destroyed; cleanup finishes this'),
    ],
    [['done'], finished],
  ),
  bake: row(
    nothing(notPromoted),
    [['none'], notPrepared],
    [
      ['promoted', ...drains, 'drained', 'destroying'],
      nothing('no bake was configured when the deployment was promoted'),
    ],
    [['drained, baking'], walked('baked')],
    [['baked'], nothing('the bake of {candidate} has ended')],
    [['done'], nothing(bakeFinishedWords)],
  ),
  cleanup: row(
    nothing(notPromoted),
    [['none'], notPrepared],
    [
      ['drained, baking'],
      outOfOrder('the bake of {candidate} has not ended, and {retiring} is the rollback target'),
    ],
    [
      ['promoted', ...drains],
      outOfOrder('{retiring} is not drained; the deployment is in phase {phase}'),
    ],
    [['drained', 'baked', 'destroying'], walked('done')],
    [['done'], finished],
  ),
  finalize: row(
    nothing(notPromoted),
    [['none'], nothingStarted],
    [promotedOn, walked('done')],
    [['done'], finished],
  ),
};

export const untilHealthyCells = row(
  () => walked('healthy'),
  [['none'], notPrepared],
  [['promoting'], nothing('the promotion has begun; promote finishes it')],
  [promotedOn, promotedAlready],
  [['done'], finished],
);

/** The record was written before the kill. */
const doneBefore: Outcome = {
  ends: 'nothing',
  exitCode: 0,
  phase: 'prepared',
  text: keepsDirection,
};

/** The signal arrives with the first effect or wait after the lock, which may finish. */
const cancelled = (phase?: Phase): Fill => {
  return (place) => ({
    ends: 'Cancelled',
    exitCode: 130,
    phase: phase ?? phaseOf(place),
    text: 'no new change was started after the signal',
  });
};

const bakeOver = nothing('the bake of {candidate} has ended');

/** Outcomes of events during the next stage. */
export const dueCells = {
  crash: row(
    finished,
    [['none'], doneBefore],
    // Its only effect is the write of its end.
    [['drained, baking'], (): Outcome => ({ ...bakeOver('baked'), phase: 'baked' })],
    ...onward,
  ),
  cancel: row(
    cancelled(),
    [['none'], begun],
    [['onboarded'], cancelled('applying')],
    [['promoted'], cancelled('draining')],
    [['drained'], cancelled('destroying')],
  ),
  retry: row(
    finished,
    [['none'], begun],
    [['prepared'], nothing(keepsDirection)],
    [['onboarded'], walked('onboarded')],
    [['promoted'], nothing('{candidate} is already promoted')],
    [['drained'], walked('drained')],
    [['drained, baking'], staysAlive],
    [['baked'], bakeOver],
    ...onward,
  ),
};

const adopted = 'deployment {id} is …, its pipeline has ended (…); it is ';
const takenOver = `${adopted}adopted with its candidate {candidate}`;

/** Outcomes of a newer pipeline after all jobs of the older one have ended. */
export const adoptedCells = row(
  (place) => done(phaseOf(place) as Phase, takenOver),
  [['none'], begun],
  [['done'], turned],
  [['healthy'], done('applied', takenOver)],
  [
    ['promoting', 'promoted', 'drained', 'baked', 'destroying'],
    (place) => done(place as Phase, `${adopted}finished first`),
  ],
  [
    ['drained, baking'],
    refused('DeploymentBusy', 75, 'the bake of {candidate} in deployment {id} has not ended'),
  ],
  [drains, refused('DeploymentBusy', 75, 'deployment {id} is still draining {retiring}')],
);
