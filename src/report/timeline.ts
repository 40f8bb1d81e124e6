import { describeCost } from '../domain/deployment/cost.ts';
import { capital } from '../domain/text/capital.ts';
import { formatDuration } from '../domain/text/duration.ts';
import { formatBake } from './bake-text.ts';
import { drawCharts } from './drawing/charts.ts';
import { join } from './drawing/elements.ts';
import { drawLegend } from './drawing/legend.ts';
import { pageStyle } from './drawing/style.ts';
import { escapeMarkup } from './markup.ts';
import { pictureOfRun, shortWait } from './picture-of-run.ts';
import { formatOutcome, type ReportedEvidence, type RunReport } from './run-report.ts';
import { formatDate, formatInstant } from './time-text.ts';
import { timelineRows } from './timeline-rows.ts';

/** Style of the text beside the chart. */
const style = `${pageStyle}
p.verdict { font-size: 1.15rem; font-weight: 600; margin: .6rem 0; }
pre { background: var(--band); padding: 1rem; overflow-x: auto; white-space: pre-wrap; }
.good { color: var(--good); } .missing, .unknown, .warning, .unfinished { color: var(--doubt); } .failed { color: var(--harm); }
time { color: var(--soft); font-variant-numeric: tabular-nums; } ol { list-style: none; padding: 0; }
`;

/** Renders one page without external resources: no script, no font, no address. */
export function renderTimeline(report: RunReport): string {
  const title = `${report.stage} ${report.runner}: ${report.outcome}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeMarkup(title)}</h1>
<p class="verdict ${isGood(report) ? 'good' : 'failed'}">${escapeMarkup(formatOutcome(report))}</p>
${report.error === undefined ? '' : `<pre>${escapeMarkup(report.error.text)}</pre>`}
<h2>Timeline</h2>
${renderLanes(report)}
${renderFacts(report)}
${renderSteps(report)}
${renderWaits(report)}
${renderCost(report)}
${report.evidence.map(renderCheck).join('\n')}
${renderActs(report)}
${renderLinks(report)}
</body>
</html>
`;
}

function isGood({ outcome }: RunReport): boolean {
  return outcome === 'done' || outcome === 'nothing';
}

/** Renders the facts of the run below its timeline. */
function renderFacts({ startedAt, endedAt, deployment, summary, bake }: RunReport): string {
  const facts = [
    `Started at ${formatInstant(new Date(startedAt).toISOString())}, took ${formatDuration(endedAt - startedAt)}.`,
    ...summary.map((line) => `${capital(line)}.`),
    ...(bake === undefined ? [] : [`${capital(formatBake(bake))}.`]),
    ...(deployment === undefined ? [] : [capital(formatDeployment(deployment, summary))]),
  ];
  const items = facts.map((fact) => `<li>${escapeMarkup(fact)}</li>`);
  return `<h2>Run</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

/** Formats the deployment, with its id unless the id was shown before. */
function formatDeployment(
  { id, candidate, retiring, phase, phaseAt }: NonNullable<RunReport['deployment']>,
  summary: readonly string[],
): string {
  const name = summary.some((line) => line.includes(id)) ? '' : `deployment ${id}: `;
  return `${name}candidate ${candidate}, retiring ${retiring ?? 'nothing'}, ${phase} since ${formatDate(phaseAt)}.`;
}

/** Renders both shards. Empty if the run read no record. */
function renderLanes(report: RunReport): string {
  const picture = pictureOfRun(report);
  if (picture === undefined) return '<p>No deployment record was read.</p>';
  return join([...drawCharts(picture), drawLegend(picture)]);
}

function renderSteps(report: RunReport): string {
  const rows = timelineRows(report).map(
    ({ name, kind, startedAt, endedAt }) =>
      `<tr><td data-column="step">${escapeMarkup(name)}</td><td data-column="outcome" class="${kind}">${kind}</td><td data-column="started (UTC)"><time>${new Date(startedAt).toISOString().slice(11, 19)}</time></td><td data-column="duration">${formatDuration(endedAt - startedAt)}</td></tr>`,
  );
  return `<h2>Steps</h2>
<div class="scroll"><table><thead><tr><th>step</th><th>outcome</th><th>started (UTC)</th><th>duration</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`;
}

/** Renders all waits as text: the chart only has space for the long ones. */
function renderWaits({ waits }: RunReport): string {
  if (waits.length === 0) return '';
  const rows = waits.map(
    ({ text, from, to }) =>
      `<tr><td data-column="wait">${escapeMarkup(shortWait(text))}</td><td data-column="started (UTC)"><time>${new Date(from).toISOString().slice(11, 19)}</time></td><td data-column="duration">${formatDuration(to - from)}</td></tr>`,
  );
  return `<h2>Waits</h2>
<div class="scroll"><table><thead><tr><th>wait, as last logged</th><th>started (UTC)</th><th>duration</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`;
}

function renderCost({ deployment }: RunReport): string {
  if (deployment?.cost === undefined) return '';
  const lines = describeCost(deployment.cost).map(
    (line) => `<li>${escapeMarkup(capital(line))}.</li>`,
  );
  return `<h2>Cost</h2>\n<ul>\n${lines.join('\n')}\n</ul>`;
}

function renderCheck({ shard, verdict, evidence }: ReportedEvidence): string {
  const rows = evidence.map(
    ({ kind, state, detail, source, at }) =>
      `<tr><td data-column="evidence">${escapeMarkup(kind)}</td><td data-column="state" class="${escapeMarkup(state)}">${escapeMarkup(state)}</td><td data-column="observation">${escapeMarkup(detail)}</td><td data-column="source">${escapeMarkup(source)}</td><td data-column="time"><time>${escapeMarkup(formatInstant(at))}</time></td></tr>`,
  );
  return `<h2>Evidence of ${escapeMarkup(shard)}: ${escapeMarkup(verdict)}</h2>
<div class="scroll"><table><thead><tr><th>evidence</th><th>state</th><th>observation</th><th>source</th><th>time</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`;
}

function renderActs({ acts, actsLeftOut }: RunReport): string {
  const lines = acts.map(
    ({ at, kind, text }) =>
      `<li class="${kind}"><time>${new Date(at).toISOString().slice(11, 19)}</time> ${escapeMarkup(text)}</li>`,
  );
  const more = actsLeftOut === 0 ? '' : `<p>${actsLeftOut} lines are left out.</p>`;
  return `<h2>Log</h2>\n<ol>\n${lines.join('\n')}\n</ol>${more}`;
}

function renderLinks({ links }: RunReport): string {
  if (links.length === 0) return '';
  const items = links.map(
    ({ label, url }) => `<li><a href="${escapeMarkup(url)}">${escapeMarkup(label)}</a></li>`,
  );
  return `<h2>Links</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}
