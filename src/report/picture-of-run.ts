import { allPhases, isBefore, isBuilt, type Phase } from '../domain/deployment/stages-and-steps.ts';
import type { DeploymentView } from '../ports/log-event.ts';
import type { DrawnJob, DrawnSpan, DrawnState, Picture } from './drawing/picture.ts';
import type { PhaseMark, ReportedJob, RunReport } from './run-report.ts';

export type ShardRole = 'candidate' | 'retiring';

/**
 * Returns a shard's state in a phase. Undefined if the shard does not exist then, or for a phase of
 * a newer version.
 */
export function stateAt(phase: string, role: ShardRole): DrawnState | undefined {
  const known = allPhases.find((one) => one === phase);
  if (known === undefined) return undefined;
  return role === 'candidate' ? candidateAt(known) : retiringAt(known);
}

function candidateAt(phase: Phase): DrawnState | undefined {
  if (phase === 'prepared') return undefined;
  if (phase === 'retreating') return 'draining';
  if (isBefore(phase, 'applied')) return 'building';
  if (isBuilt(phase)) return 'quarantine';
  return isBefore(phase, 'promoted') ? 'serving' : 'active';
}

function retiringAt(phase: Phase): DrawnState | undefined {
  if (phase === 'done') return undefined;
  if (isBefore(phase, 'promoted')) return 'active';
  if (isBefore(phase, 'draining')) return 'serving';
  if (isBefore(phase, 'drained')) return 'draining';
  return isBefore(phase, 'destroying') ? 'drained' : 'destroying';
}

/**
 * Part of the chart for the time before the run. It stays visible and does not hide a run of
 * minutes.
 */
const shareOfBefore = 0.2;
const longJobMs = 60_000;

/**
 * Draws both shards during a run from its record and its drain. Undefined if no record was read.
 */
export function pictureOfRun(report: RunReport): Picture | undefined {
  const { deployment, endedAt, error, steps, phases, jobs, waits, kills } = report;

  if (deployment === undefined) return undefined;
  const { candidate, retiring } = deployment;
  const from = beginning(report);
  const to = Math.max(endedAt, from + 1000);
  const marks = marksFrom(report, from);
  const roles: readonly (readonly [ShardRole, string | undefined])[] = [
    ['retiring', retiring],
    ['candidate', candidate],
  ];
  const named = roles.flatMap(([role, shard]) => (shard === undefined ? [] : [{ role, shard }]));
  return {
    from,
    to,
    shards: named.map(({ shard }) => shard).sort(),
    spans: named.flatMap(({ role, shard }) => spansOf({ role, shard, marks, to })),
    switches: phases
      .filter(({ phase }) => phase === 'promoted')
      .map(({ at }) => ({ at, to: candidate })),
    scenes: steps.map(({ name, startedAt, endedAt: until }) => ({
      title: name,
      from: startedAt,
      to: until,
    })),
    moments: [...kills, ...(error === undefined ? [] : [{ at: endedAt, text: error.code }])],
    waits: waits.map((wait) => ({ ...wait, text: shortWait(wait.text) })),
    jobs: jobs.map(
      (job): DrawnJob => ({
        shard: job.shard,
        startedAt: Math.max(job.startedAt, from),
        endedAt: job.endedBy,
        kind: kindOf(job, deployment),
        text: `job ${job.id} ${job.name}, listed while ${job.shard} drained`,
      }),
    ),
  };
}

function kindOf({ id, startedAt, endedBy }: ReportedJob, { cost }: DeploymentView) {
  if (cost?.broken.some((one) => one.id === id) === true) return 'harmed';
  return endedBy - startedAt > longJobMs ? 'long' : 'short';
}

/** Removes the first word, which all waits share, and the full stop. */
export function shortWait(text: string): string {
  return text.replace(/^Waiting(?::| for) /, '').replace(/\.$/, '');
}

function beginning({ startedAt, endedAt, found }: RunReport): number {
  if (found === undefined) return startedAt;
  const shownMs = Math.max(1000, (endedAt - startedAt) * shareOfBefore);
  return Math.max(Math.min(found.at, startedAt), startedAt - shownMs);
}

/**
 * Lists the phases that the run wrote, after the phase that it found. The found phase starts with
 * the picture.
 */
function marksFrom({ found, phases }: RunReport, from: number): readonly PhaseMark[] {
  return [...(found === undefined ? [] : [{ ...found, at: from }]), ...phases];
}

function spansOf({
  role,
  shard,
  marks,
  to,
}: {
  readonly role: ShardRole;
  readonly shard: string;
  readonly marks: readonly PhaseMark[];
  readonly to: number;
}): readonly DrawnSpan[] {
  const spans: DrawnSpan[] = [];
  for (const [index, { phase, at }] of marks.entries()) {
    const until = marks[index + 1]?.at ?? to;
    const state = stateAt(phase, role);
    const last = spans.at(-1);
    if (state === undefined) continue;
    if (last?.state === state && last.to === at) spans[spans.length - 1] = { ...last, to: until };
    else spans.push({ shard, state, from: at, to: until });
  }
  return spans;
}
