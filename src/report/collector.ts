import type { Clock } from '../ports/clock.ts';
import type { DeploymentView, Log, LogEvent } from '../ports/log-event.ts';
import type {
  Act,
  Collected,
  GuardAnswer,
  PhaseMark,
  ReportedEvidence,
  ReportedJob,
} from './run-report.ts';
import { countKills, countWaits } from './wait-and-kill-counts.ts';

export interface Collector {
  /** Returns a log that also keeps everything for the report. */
  tee<Wrapped extends Log>(log: Wrapped): Wrapped;
  collected(): Collected;
}

type Now = Pick<Clock, 'now'>;

/**
 * Number of first acts to keep. A drain of days logs every minute, and a reader needs its beginning
 * and end.
 */
const firstActs = 200;
const mostActs = 500;
const mostSteps = 100;
const mostJobs = 200;

export function createCollector(clock: Now): Collector {
  const startedAt = clock.now();
  const acts = keepActs(clock);
  const events = keepEvents(clock);
  const waits = countWaits(clock);
  const kills = countKills(clock);
  return {
    tee: (log) => ({
      ...log,
      act(text) {
        log.act(text);
        waits.end();
        acts.keep('act', text);
      },
      warn(text) {
        log.warn(text);
        acts.keep('warning', text);
      },
      wait(text) {
        log.wait(text);
        waits.keep(text);
      },
      event(event) {
        log.event(event);
        events.keep(event);
        kills.keep(event);
        if (event.kind === 'step') waits.end();
      },
    }),
    collected() {
      const endedAt = clock.now();
      const counted = { waits: waits.kept(endedAt), kills: kills.kept() };
      return { startedAt, endedAt, ...acts.kept(), ...events.kept(endedAt), ...counted };
    },
  };
}

function keepActs(clock: Now) {
  const acts: Act[] = [];
  let actsLeftOut = 0;
  return {
    keep(kind: Act['kind'], text: string): void {
      acts.push({ at: clock.now(), kind, text });
      if (acts.length <= mostActs) return;
      acts.splice(firstActs, 1);
      actsLeftOut += 1;
    },
    kept: () => ({ acts: [...acts], actsLeftOut }),
  };
}

function keepEvents(clock: Now) {
  const begun: { name: string; startedAt: number }[] = [];
  const evidence = new Map<string, ReportedEvidence>();
  const guards = new Map<string, GuardAnswer>();
  const record = keepRecord(clock);
  const jobs = keepJobs();
  const verified = new Set<string>();
  let activeShard: string | undefined;
  let bake: Collected['bake'];
  return {
    keep(event: LogEvent): void {
      switch (event.kind) {
        case 'step':
          // A step that resumes in the same run, such as a bake, is one step.
          if (begun.length < mostSteps && begun.at(-1)?.name !== event.step) {
            begun.push({ name: event.step, startedAt: clock.now() });
          }
          break;
        case 'guard': {
          const { kind: _, ...answer } = event;
          guards.set(answer.guard, answer);
          break;
        }
        case 'evidence': {
          const { kind: _, ...reported } = event;
          evidence.set(reported.shard, reported);
          break;
        }
        case 'status':
          activeShard = event.active;
          break;
        case 'service':
          if (event.service.kind === 'proven') verified.add(event.shard);
          else verified.delete(event.shard);
          break;
        case 'bake': {
          const { kind: _, ...reported } = event;
          bake = reported;
          break;
        }
        case 'drain':
          // A draining shard accepts no job; the check came from before its pause.
          verified.delete(event.shard);
          jobs.keep(event, clock.now());
          break;
        case 'record':
          record.keep(event.deployment, event.how === 'written');
          break;
        // The report does not show other events.
        default:
      }
    },
    kept: (endedAt: number) => ({
      steps: begun.map((step, index) => ({
        ...step,
        endedAt: begun[index + 1]?.startedAt ?? endedAt,
      })),
      jobs: jobs.kept(),
      guards: [...guards.values()],
      evidence: [...evidence.values()],
      verified: [...verified],
      ...(activeShard === undefined ? {} : { activeShard }),
      ...(bake === undefined ? {} : { bake }),
      ...record.kept(),
    }),
  };
}

/**
 * Keeps the jobs that the checks of a drain list. A job has ended by the first check that does not
 * list it.
 */
function keepJobs() {
  const jobs = new Map<string, ReportedJob>();
  const running = new Set<string>();
  return {
    keep(event: Extract<LogEvent, { readonly kind: 'drain' }>, at: number): void {
      const { shard, judgement: verdict } = event;
      // A check without a source cannot show the end of a job.
      if (verdict.kind === 'blind') return;
      const listed = verdict.kind === 'busy' ? verdict.jobs : [];
      for (const [id, job] of jobs) {
        if (job.shard !== shard || listed.some((one) => one.id === id)) continue;
        if (running.delete(id)) jobs.set(id, { ...job, endedBy: at });
      }
      for (const { id, name, startedAt } of listed) {
        const known = jobs.get(id);
        if (known === undefined && jobs.size >= mostJobs) continue;
        const started = Date.parse(startedAt ?? '');
        const first = Number.isFinite(started) ? Math.min(started, at) : at;
        jobs.set(id, { ...(known ?? { id, name, shard, startedAt: first }), endedBy: at });
        running.add(id);
      }
    },
    kept: () => [...jobs.values()],
  };
}

function keepRecord(clock: Now) {
  const phases: PhaseMark[] = [];
  let deployment: DeploymentView | undefined;
  let found: PhaseMark | undefined;
  return {
    keep(view: DeploymentView, written: boolean): void {
      const moved = deployment?.phase !== view.phase || deployment.id !== view.id;
      if (written && moved) phases.push({ phase: view.phase, at: clock.now() });
      // The phase of an earlier deployment does not apply to this one's shards.
      if (deployment !== undefined && deployment.id !== view.id) found = undefined;
      if (deployment === undefined && !written) {
        const at = Date.parse(view.phaseAt);
        if (Number.isFinite(at)) found = { phase: view.phase, at };
      }
      deployment = view;
    },
    kept: () => ({
      phases: phases.slice(-mostSteps),
      ...(found === undefined ? {} : { found }),
      ...(deployment === undefined ? {} : { deployment }),
    }),
  };
}
