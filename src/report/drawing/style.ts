import { stateRules } from './shard-states.ts';

/**
 * Style of a page. The colours of states are the same on light and dark. Text repeats the meaning
 * of each colour. A chart never shrinks below a readable text size.
 */
export const pageStyle = `
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1b1b1f; --soft: #55555f; --line: #c9c9d1;
  --band: #f3f3f7; --job: #4b5a6b; --switch: #1b1b1f; --harm: #b00020; --good: #1f6f45; --doubt: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --paper: #16171b; --ink: #ececf1; --soft: #adadb8;
  --line: #44454f; --band: #1f2026; --job: #9aaabd; --switch: #ececf1; --harm: #ff8a80; --good: #7fd4a4; --doubt: #f0b95a; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
  margin: 2rem auto; max-width: 96rem; padding: 0 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.bad { color: var(--harm); } a { color: inherit; }
.chart { overflow-x: auto; } .chart > svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
.scene { fill: none; } .scene-0 { fill: var(--band); }
svg .scene-title { font-weight: 600; } svg .shard { font-weight: 600; font-size: 14px; text-anchor: end; }
svg .side, svg .tick, svg .gone { fill: var(--soft); font-size: 11px; } svg .side { text-anchor: end; }
svg .tick { text-anchor: middle; } .axis { stroke: var(--line); }
svg .bar-text { text-anchor: middle; fill: #111111; } .bar { stroke: #55555f; stroke-width: .5; }
${stateRules}
.wait { fill: #d7d9e2; } .short, .long { fill: var(--job); } .harmed { fill: var(--harm); }
.switch { stroke: var(--switch); stroke-dasharray: 4 3; } .moment { stroke: var(--harm); stroke-dasharray: 2 3; }
svg .moment-text { fill: var(--harm); } .moment-text, .switch-text { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; } .cross { stroke: var(--soft); stroke-width: 2; fill: none; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; list-style: none; padding: 0; margin: .8rem 0; }
.swatch { display: inline-block; width: 18px; vertical-align: -2px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; overflow-wrap: break-word; } caption { text-align: left; color: var(--soft); }
th, td { border-bottom: 1px solid var(--line); padding: .2rem 1rem .2rem 0; text-align: left; vertical-align: top; }
.on-telephone, .on-tablet { display: none; } .on-wide { margin: .4rem 0; break-inside: avoid; }
@media screen and (max-width: 1119px) { .on-tablet { display: block; } .on-tablet > svg { max-width: 56rem; } .on-wide { display: none; } }
@media screen and (max-width: 719px) { .on-telephone { display: block; } .on-telephone > svg { max-width: 26rem; } .on-tablet { display: none; } }
@media screen and (max-width: 480px) { thead { display: none; } table, caption, tbody, tr { display: block; }
  tr { border-bottom: 1px solid var(--line); padding: .35rem 0; } td { border: 0; display: inline-block; max-width: 100%; padding: 0 .9rem 0 0; }
  td::before { color: var(--soft); content: attr(data-column) ": "; } }
@page { margin: 14mm; }
@media print { td { overflow-wrap: anywhere; } tr { break-inside: avoid; } body { margin: 0; max-width: none; padding: 0; } .chart, .scroll { overflow: visible; }
  .chart > svg { min-width: 0 !important; } svg * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;
