import { type CellEvent, cells } from './cells.ts';
import { type Outcome, type Place, phaseOf, places } from './outcome.ts';

const introduction = `# Outcomes

<!-- Made from model/cells.ts by \`npm run generate\`. -->

Every event in every phase of a deployment has exactly one outcome. A test executes each row and
then finishes the deployment.

- \`none\` is a stack without a deployment record.
- *draining, idle* is a drain whose jobs have ended.
- *drained, baking* is a drained shard during a bake.
- \`{candidate}\` and \`{retiring}\` are the deployment's shards, \`{id}\` is its id.
- \`…\` replaces text that differs between runs.

`;

const meanings: Readonly<Partial<Record<CellEvent, string>>> = {
  crash: 'The next stage is killed right after its first effect, and run again.',
  cancel: 'The next stage is cancelled during its first effect or wait.',
  retry: 'The same pipeline runs the last stage again.',
  'new id: owner over': 'A newer pipeline prepares. The pipeline of the record has finished.',
  'new id: owner alive': 'A newer pipeline prepares. The pipeline of the record is running.',
  'new id: owner unknown':
    'A newer pipeline prepares. The CI does not report whether the pipeline of the record is running.',
  schedule: 'A scheduled pipeline runs finalize.',
  hold: 'An operator has set a hold, and the next stage runs.',
};

/** Renders docs/reference/outcomes.md. */
export function renderCells(): string {
  const sections = (Object.keys(cells) as CellEvent[]).map(renderEvent);
  return `${introduction}${sections.join('\n')}`;
}

function renderEvent(event: CellEvent): string {
  const rows = groups(cells[event]).map(([where, { ends, exitCode, phase, text: reason }]) => {
    const columns = [where.join(', '), ends, String(exitCode), phase, `\`${reason}\``];
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

function meaningOf(event: CellEvent): string {
  const [kind, detail] = event.split(': ');
  if (kind === 'edit')
    return `\`deployment_status\` was edited by hand (${detail}). The next stage runs; after \`done\`, the next deployment's \`prepare\`.`;
  const who = kind === 'older id' ? 'A pipeline older than that of the record' : 'The pipeline';
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
