import { type CellEvent, cells } from './cells.ts';
import { type Outcome, type Place, phaseOf, places } from './outcome.ts';

const introduction = `# What happens when

<!-- Made from model/cells.ts by \`npm run generate\`. -->

Every event at every place of a deployment has exactly one outcome. \`none\` is a stack without a
record; *draining, idle* is a drain whose jobs have ended, *drained, baking* one whose bake goes on. \`{candidate}\` and \`{retiring}\` are the
deployment's shards, \`{id}\` its id, \`…\` what differs from run to run. A test brings a simulated
world to every place, lets every event happen, compares, and then finishes the deployment.

`;

const meanings: Readonly<Partial<Record<CellEvent, string>>> = {
  crash: 'The stage that comes next is killed right after its first effect, and run again.',
  cancel: 'The stage that comes next is cancelled with its first effect or wait.',
  retry: 'The stage that came to this place is run again by the same pipeline.',
  'new id: owner over': 'A newer pipeline prepares; the one that the record names is over.',
  'new id: owner alive': 'A newer pipeline prepares; the one that the record names still runs.',
  'new id: owner unknown': 'A newer pipeline prepares; the CI does not say whether the other runs.',
  schedule: 'A scheduled pipeline runs finalize.',
  hold: 'Somebody has set a hold; the stage that comes next is run.',
};

/** docs/understand/cells.md. */
export function renderCells(): string {
  const sections = (Object.keys(cells) as CellEvent[]).map(renderEvent);
  return `${introduction}${sections.join('\n')}`;
}

function renderEvent(event: CellEvent): string {
  const rows = groups(cells[event]).map(([where, { ends, exitCode, phase, says }]) => {
    const columns = [where.join(', '), ends, String(exitCode), phase, `\`${says}\``];
    return `| ${columns.join(' | ')} |`;
  });
  return [
    `## ${event}`,
    '',
    `${meanings[event] ?? meaningOf(event)}`,
    '',
    '| at | ends | exit code | then | says |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function meaningOf(event: CellEvent): string {
  const [kind, detail] = event.split(': ');
  if (kind === 'edit')
    return `\`deployment_status\` was edited by hand (${detail}); the stage that comes next is run, after \`done\` the next deployment's \`prepare\`.`;
  const who = kind === 'older id' ? 'A pipeline older than the one of the record' : 'The pipeline';
  return `${who} runs \`${detail}\`.`;
}

/** Places with the same outcome in one line; `as before` where each keeps its own phase. */
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
