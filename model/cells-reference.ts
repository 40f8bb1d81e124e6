import { type CellEvent, cells } from './cells.ts';
import { type Outcome, type Place, phaseOf, places } from './outcome.ts';

const introduction = `# Outcomes

<!-- Made from model/cells.ts by \`npm run generate\`. -->

Every event in every phase has exactly one outcome. A test executes each row and finishes the
deployment.

- A result is \`done\`, \`nothing\` (no work was needed) or an error code.
- \`none\` means that no deployment record exists.
- \`draining (idle)\` is a drain whose jobs have ended.
- \`drained (baking)\` is a drained shard during a bake.
- \`{candidate}\` and \`{retiring}\` are the shards of the deployment, \`{id}\` is its id. The next
  deployment exchanges the shards.
- \`…\` replaces text that differs between runs.

`;

const meanings: Readonly<Partial<Record<CellEvent, string>>> = {
  crash: 'The next stage is killed right after its first effect. The rows show its second run.',
  cancel: 'The next stage is cancelled during its first effect or wait.',
  retry: 'The same pipeline runs the last stage again.',
  'new id: owner finished': 'A newer pipeline runs `prepare`. The recorded pipeline has finished.',
  'new id: owner alive': 'A newer pipeline runs `prepare`. The recorded pipeline is running.',
  'new id: owner unknown':
    'A newer pipeline runs `prepare`. The CI does not report whether the recorded pipeline is running.',
  schedule: 'A scheduled pipeline runs `finalize`.',
  hold: 'An operator has set a hold, and the next stage runs.',
};

/** Renders docs/reference/outcomes.md. */
export function renderCells(): string {
  const sections = (Object.keys(cells) as CellEvent[]).map(renderEvent);
  return `${introduction}${sections.join('\n')}`;
}

function renderEvent(event: CellEvent): string {
  const found = groups(cells[event]).toSorted((one, other) => rank(one) - rank(other));
  const rows = found.map(([where, { ends, exitCode, phase, text: reason }]) => {
    const columns = [namesOf(where), ends, String(exitCode), phase, `\`${reason}\``];
    return `| ${columns.join(' | ')} |`;
  });
  return [
    `## ${event}`,
    '',
    `${meanings[event] ?? meaningOf(event)}`,
    '',
    '| phase | result | exit code | phase after | reason |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** Names most places together, for a short table. */
function namesOf(where: readonly Place[]): string {
  if (where.length === places.length) return 'every phase';
  return isMost(where) ? 'all others' : where.map(labelOf).join(', ');
}

/** Avoids a comma within a list of places. */
function labelOf(place: Place): string {
  return place.replace(/, (.+)$/, ' ($1)');
}

function isMost(where: readonly Place[]): boolean {
  return where.length > places.length / 2;
}

/** Puts the row of all other places last. */
function rank([where]: [Place[], Outcome]): number {
  return isMost(where) ? 1 : 0;
}

function meaningOf(event: CellEvent): string {
  const [kind, detail] = event.split(': ');
  if (kind === 'edit')
    return `An operator edited \`deployment_status\` (${detail}). Then the next stage runs; in phase \`done\`, this is \`prepare\`.`;
  const who = kind === 'older id' ? 'A pipeline older than the recorded one' : 'The pipeline';
  return `${who} runs \`${detail}\`.`;
}

/** Groups places with an identical outcome in one line; `as before` if each keeps its phase. */
function groups(row: Readonly<Record<Place, Outcome>>): [Place[], Outcome][] {
  const found = new Map<string, [Place[], Outcome]>();
  for (const place of places) {
    const outcome = row[place];
    const stays = outcome.phase === phaseOf(place);
    const shown = { ...outcome, phase: stays ? ('as before' as Outcome['phase']) : outcome.phase };
    const key = JSON.stringify(shown);
    const group = found.get(key) ?? [[], shown];
    group[0].push(place);
    found.set(key, group);
  }
  return [...found.values()];
}
