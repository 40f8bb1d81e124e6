import {
  type StageName,
  stageNames,
  steps,
  stepsOf,
} from '../src/domain/deployment/stages-and-steps.ts';
import { nothing, type Row, refused, row, walked } from './outcome.ts';
import {
  adoptedCells,
  begun,
  dueCells,
  finished,
  nothingStarted,
  notPrepared,
  onward,
  stageCells,
  turned,
  untilHealthyCells,
} from './stage-cells.ts';

/**
 * Outcome of every event at every place of a deployment: exactly one per cell, as data. A test
 * brings a simulated stack to each place, triggers each event and compares.
 * docs/reference/outcomes.md shows the table.
 */

const older = nothing('deployment {id} is newer, and an older pipeline changes nothing');
const superseded = refused(
  'PipelineSuperseded',
  3,
  'this pipeline was created at …, and the pipeline of deployment {id} at …',
);

/** Cells of an older pipeline, which starts, takes over and finishes nothing. */
const olderCells = Object.fromEntries(
  stageNames.map((stage) => [stage, olderRow(stage)]),
) as Readonly<Record<StageName, Row>>;

function olderRow(stage: StageName): Row {
  if (stage === 'prepare') return row(superseded, [['none'], begun]);
  if (stage === 'finalize') return row(older, [['none'], nothingStarted]);
  const [first] = stepsOf(stage);
  const retires = steps.find(({ name }) => name === first)?.touches === 'retiring';
  return row(retires ? older : superseded, [['none'], notPrepared]);
}

const busy = (state: string) =>
  row(
    refused('DeploymentBusy', 75, `deployment {id} is in phase {phase}, and ${state}: …`),
    [['none'], begun],
    [['done'], turned],
  );
const contradiction = (reason: string) => refused('FactsContradict', 3, reason);
const invalid = (why: string) => row(contradiction(`deployment_status is invalid: ${why}`));
const unlike = (status: string) =>
  contradiction(`deployment_status ${status}, but the record expects …`);

/** Table by event. `crash`, `cancel`, `hold` and `edit` affect the next stage. */
export const cells = {
  ...dueCells,
  'new id: owner finished': adoptedCells,
  'new id: owner alive': busy('its pipeline has not ended'),
  'new id: owner unknown': busy('it is unknown whether its pipeline has ended'),
  ...named('older id', olderCells),
  ...named('stage', stageCells),
  'stage: provision --until healthy': untilHealthyCells,
  schedule: stageCells.finalize,
  hold: row(refused('Held', 3, 'a hold stops every stage before its next change; …')),
  'edit: swapped': row(
    unlike('names … as active'),
    [
      ['none'],
      contradiction('there is no record, but the inactive shard, {retiring}, has a runner'),
    ],
    [['promoting'], walked('promoted')],
  ),
  'edit: equal shards': invalid('both shards are named "…"'),
  'edit: unknown shard': invalid('active_shard is the unknown shard "green"'),
  'edit: empty': invalid('it is empty'),
  'edit: not JSON': invalid('it is not JSON: "active=…"'),
  'edit: deleted': row(unlike('does not exist'), [
    ['none'],
    contradiction('neither deployment_status nor a record exists, but {retiring} has a runner'),
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
