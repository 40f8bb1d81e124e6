import {
  type Phase,
  type StageName,
  stageNames,
  steps,
  stepsOf,
} from '../src/domain/deployment/stages-and-steps.ts';
import {
  done,
  type Fill,
  nothing,
  type Outcome,
  phaseOf,
  type Row,
  refused,
  row,
  walked,
} from './outcome.ts';
import {
  begun,
  drains,
  finished,
  keepsDirection,
  neverBegun,
  notPrepared,
  onward,
  stageCells,
  staysAlive,
  turned,
  untilHealthyCells,
} from './stage-cells.ts';

/**
 * What happens at every place of a deployment: exactly one outcome for each cell,
 * as data. A test brings a simulated world to each place, lets each event happen and compares;
 * docs/understand/cells.md shows the table.
 */

const older = nothing('deployment {id} is newer, and an older pipeline has no effect');
const superseded = refused(
  'PipelineSuperseded',
  3,
  'its pipeline was created …, the one of {id} …',
);

/** An older pipeline begins nothing, takes over nothing and finishes nothing. */
const olderCells = Object.fromEntries(
  stageNames.map((stage) => [stage, olderRow(stage)]),
) as Readonly<Record<StageName, Row>>;

function olderRow(stage: StageName): Row {
  if (stage === 'prepare') return row(superseded, [['none'], begun]);
  if (stage === 'finalize') return row(older, [['none'], neverBegun]);
  const [first] = stepsOf(stage);
  const retires = steps.find(({ name }) => name === first)?.touches === 'retiring';
  return row(retires ? older : superseded, [['none'], notPrepared]);
}

const busy = row(
  refused(
    'DeploymentBusy',
    75,
    'deployment {id} is {phase} and its pipeline is not proven to be over: …',
  ),
  [['none'], begun],
  [['done'], turned],
);
const adopted = 'deployment {id} is …, its pipeline is over (…); it is ';
const takenOver = `${adopted}taken over with its candidate {candidate}`;

/** The record was written before the kill. */
const doneBefore: Outcome = {
  ends: 'nothing',
  exitCode: 0,
  phase: 'prepared',
  says: keepsDirection,
};

const bakeOver = nothing('the bake of {candidate} is over');

const contradiction = (says: string) => refused('FactsContradict', 3, says);
const invalid = (why: string) => row(contradiction(`deployment_status is invalid: ${why}`));
const unlike = (said: string) =>
  contradiction(`deployment_status says ${said}, the record expects …`);

/** The signal arrives with the first effect or wait beyond the lock; that one is let finish. */
const cancelled = (phase?: Phase): Fill => {
  return (place) => ({
    ends: 'Cancelled',
    exitCode: 130,
    phase: phase ?? phaseOf(place),
    says: 'no new effect was begun after the signal',
  });
};

/** Rows are events. `crash`, `cancel`, `hold` and `edit` are about the stage that comes next. */
export const cells = {
  crash: row(
    finished,
    [['none'], doneBefore],
    // Its one effect is the write of its end.
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
    [['promoted'], nothing('{candidate} is promoted already')],
    [['drained'], walked('drained')],
    [['drained, baking'], staysAlive],
    [['baked'], bakeOver],
    ...onward,
  ),
  'new id: owner over': row(
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
      refused(
        'DeploymentBusy',
        75,
        "deployment {id} still watches {candidate} under customers' jobs",
      ),
    ],
    [drains, refused('DeploymentBusy', 75, 'deployment {id} still drains {retiring}')],
  ),
  'new id: owner alive': busy,
  'new id: owner unknown': busy,
  ...named('older id', olderCells),
  ...named('stage', stageCells),
  'stage: provision --until healthy': untilHealthyCells,
  schedule: stageCells.finalize,
  hold: row(refused('Held', 3, 'a hold stops every stage before its next effect; …')),
  'edit: swapped': row(
    unlike('… is active'),
    [['none'], contradiction('there is no record, and the inactive {retiring} has a registration')],
    [['promoting'], walked('promoted')],
  ),
  'edit: equal shards': invalid('both shards are said to be "…"'),
  'edit: unknown shard': invalid('active_shard is the unknown shard "green"'),
  'edit: empty': invalid('it is empty'),
  'edit: not JSON': invalid('it is not JSON: "active=…"'),
  'edit: deleted': row(unlike('nothing'), [
    ['none'],
    contradiction('there is no status and no record, but a registration of {retiring}'),
  ]),
  'edit: spaces and key order': row(finished, [['none'], begun], [['done'], turned], ...onward),
} satisfies Record<string, Row>;

export type CellEvent = keyof typeof cells;

type Named<Kind extends string> = Readonly<Record<`${Kind}: ${StageName}`, Row>>;

function named<Kind extends string>(kind: Kind, rows: Readonly<Record<StageName, Row>>) {
  const entries = Object.entries(rows).map(([stage, cellsOfStage]) => [
    `${kind}: ${stage}`,
    cellsOfStage,
  ]);
  return Object.fromEntries(entries) as Named<Kind>;
}
