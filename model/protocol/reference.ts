import { type Edge, exploreProtocol, type Graph } from './graph.ts';
import { serves } from './state.ts';

const introduction = `# The protocol

<!-- Made from model/protocol/ by \`npm run generate\`. -->

A deployment as a graph. A state is what the record and the status say, whether the deployment has
switched the status, and of each shard how far it is built, the tags and the intake of its
registration, whether its process runs and whether a customer's job runs on it. From every state every
stage can be run, by the plan that the code itself makes (\`planStage\`, \`steps\`, \`cells\`); a run can
die between any two of its effects, evidence can turn out either way, customers' jobs come to whoever
serves and end when they like, a newer pipeline can take over, and a person can roll back.
`;

const properties = `## What holds in all of them

\`test/protocol/\` visits every state and every transition:

- **S1**: in every state a shard serves, and it is the one that the status names.
- **S2**: nothing on which a job runs is ended, deregistered or destroyed, and no new deployment begins while one does on a shard that is to go.
- **S5**: a deployment switches the status at most once, from its retiring shard to its candidate; nothing but a new deployment changes which shard is which.
- **S6**: no infrastructure is applied to a candidate that has the production tags.
- **O1**: in every finished state exactly one shard has infrastructure and a registration, and it is the active one.
- **L3**: from every state the stages of one pipeline lead to \`done\`, without an edit by hand.
- Each stage ends as [its cells](cells.md) say, from every state; each step writes the phases and touches the shard that the table of steps names.

What the model leaves out (stale reads, lost answers, late effects, two runs at once, canaries, tokens, the lock) is tried by the simulation, with the stages themselves.

## By phase

Each arrow is one write of the record, with the commands that can make it.

`;

/** docs/understand/protocol.md. */
export function renderProtocol(): string {
  const graph = exploreProtocol();
  const { states, edges } = graph;
  const counts = `\n${states.length} states can be reached, by ${edges.length} transitions.\n\n`;
  return `${introduction}${counts}${properties}${chart(graph)}${byPhase(graph)}`;
}

function chart({ edges }: Graph): string {
  const arrows = new Map<string, Set<string>>();
  for (const edge of edges) {
    if (edge.from.phase === edge.to.phase) continue;
    const arrow = `${place(edge, 'from')} --> ${place(edge, 'to')}`;
    arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(edge.by));
  }
  const lines = [...arrows].map(([arrow, by]) => `  ${arrow}: ${[...by].sort().join(', ')}`);
  return ['```mermaid', 'stateDiagram-v2', ...lines.sort(), '```', ''].join('\n');
}

function place(edge: Edge, end: 'from' | 'to'): string {
  const { phase } = edge[end];
  return phase === 'none' ? '[*]' : phase;
}

function byPhase({ states }: Graph): string {
  const rows = new Map<
    string,
    { all: number; both: number; candidate: number; retiring: number }
  >();
  for (const { phase, candidate, retiring } of states) {
    const row = rows.get(phase) ?? { all: 0, both: 0, candidate: 0, retiring: 0 };
    row.all += 1;
    const [one, other] = [serves(candidate), serves(retiring)];
    if (one && other) row.both += 1;
    else if (one) row.candidate += 1;
    else if (other) row.retiring += 1;
    rows.set(phase, row);
  }
  const lines = [...rows].map(
    ([phase, { all, both, candidate, retiring }]) =>
      `| ${phase} | ${all} | ${retiring} | ${both} | ${candidate} |`,
  );
  const head = [
    '| phase | states | the retiring shard alone serves | both | the candidate alone |',
  ];
  return ['', ...head, '| --- | --- | --- | --- | --- |', ...lines, ''].join('\n');
}
