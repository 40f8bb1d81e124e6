import { describeCost } from '../domain/deployment/cost.ts';
import { formatDuration } from '../domain/duration.ts';
import { escapeMarkup } from './markup.ts';
import type { EvidenceLook, RunReport } from './run-report.ts';
import { renderChart } from './timeline-chart.ts';
import { timelineRows } from './timeline-rows.ts';

const style = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top; }
pre { background: #f6f6f4; padding: 1rem; overflow-x: auto; white-space: pre-wrap; }
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; } svg text { fill: currentColor; }
.grid { stroke: #ddd; } .tick { text-anchor: middle; fill: #777; }
.before rect { fill: #bbb; } .done rect { fill: #2f8f5b; } .failed rect { fill: #c0392b; } .unfinished rect { fill: #d68910; }
.phase line { stroke: #6c3fb5; stroke-dasharray: 3 3; } .phase text { text-anchor: middle; fill: #6c3fb5; }
.good { color: #2f8f5b; } .bad { color: #c0392b; } .missing, .unknown, .warning { color: #b9770e; }
time { color: #777; font-variant-numeric: tabular-nums; } ol { list-style: none; padding: 0; }
@media (prefers-color-scheme: dark) { body { background: #1b1b1d; color: #ddd; } pre { background: #26262a; } th, td, .grid { border-color: #444; stroke: #444; } }
`;

/** One page that needs nothing but itself: no script, no font, no address. */
export function renderTimeline(report: RunReport): string {
  const title = `${report.stage} ${report.runner}: ${report.outcome}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(summaryOf(report))}</p>
${report.error === undefined ? '' : `<pre>${escapeMarkup(report.error.text)}</pre>`}
<h2>Timeline</h2>
${renderChart(timelineRows(report), report.phases)}
${renderCost(report)}
${report.looks.map(renderLook).join('\n')}
${renderActs(report)}
${renderLinks(report)}
</body>
</html>
`;
}

function summaryOf({ startedAt, endedAt, deployment, said, activeShard }: RunReport): string {
  const parts = [
    `${new Date(startedAt).toISOString()}, ${formatDuration(endedAt - startedAt)}.`,
    ...said.map((line) => `${line}.`),
    ...(activeShard === undefined ? [] : [`Active shard: ${activeShard}.`]),
    ...(deployment === undefined
      ? []
      : [
          `Deployment ${deployment.id}: candidate ${deployment.candidate}, retiring ${deployment.retiring ?? 'nothing'}, ${deployment.phase} since ${deployment.phaseAt}.`,
        ]),
  ];
  return parts.join(' ');
}

function renderCost({ deployment }: RunReport): string {
  if (deployment?.cost === undefined) return '';
  const lines = describeCost(deployment.cost).map((line) => `<li>${escapeMarkup(line)}.</li>`);
  return `<h2>What it cost</h2>\n<ul>\n${lines.join('\n')}\n</ul>`;
}

function renderLook({ shard, verdict, evidence }: EvidenceLook): string {
  const rows = evidence.map(
    ({ kind, state, detail, source, at }) =>
      `<tr><td>${escapeMarkup(kind)}</td><td class="${escapeMarkup(state)}">${escapeMarkup(state)}</td><td>${escapeMarkup(detail)}</td><td>${escapeMarkup(source)}</td><td><time>${escapeMarkup(at)}</time></td></tr>`,
  );
  return `<h2>Evidence of ${escapeMarkup(shard)}: ${escapeMarkup(verdict)}</h2>
<table><thead><tr><th>evidence</th><th>state</th><th>what was seen</th><th>source</th><th>time</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}

function renderActs({ acts, actsLeftOut }: RunReport): string {
  const lines = acts.map(
    ({ at, kind, text }) =>
      `<li class="${kind}"><time>${new Date(at).toISOString().slice(11, 19)}</time> ${escapeMarkup(text)}</li>`,
  );
  const more = actsLeftOut === 0 ? '' : `<p>${actsLeftOut} lines are left out.</p>`;
  return `<h2>What was done</h2>\n<ol>\n${lines.join('\n')}\n</ol>${more}`;
}

function renderLinks({ links }: RunReport): string {
  if (links.length === 0) return '';
  const items = links.map(
    ({ label, url }) => `<li><a href="${escapeMarkup(url)}">${escapeMarkup(label)}</a></li>`,
  );
  return `<h2>Links</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}
