import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { scrub } from '../../src/adapters/transport/words/scrub.ts';
import type { Evidence } from '../../src/domain/health/evidence.ts';
import type { DeploymentView, Log, LogEvent } from '../../src/ports/log-event.ts';
import { createCollector } from '../../src/report/collector.ts';
import { type Ending, finishReport, type RunReport } from '../../src/report/run-report.ts';
import { pink } from '../fakes/builders.ts';

export const startedAt = Date.parse('2026-11-02T10:00:00Z');

export const deployment: DeploymentView = {
  id: '101-5001',
  kind: 'deploy',
  candidate: 'pink',
  retiring: 'purple',
  phase: 'applied',
  phaseAt: '2026-11-02T09:58:00.000Z',
  startedAt: '2026-11-02T09:50:00.000Z',
  pipelineUrl: 'https://gitlab.example.com/acme/runners/-/pipelines/5001',
  registration: '48213',
  canary: '70001',
};

export const good: Evidence = {
  kind: 'manager',
  state: 'good',
  detail: 'manager 7 contacted GitLab 3s ago',
  source: 'GitLab',
  at: '2026-11-02T10:00:10.000Z',
};

export interface Story {
  readonly log: Log;
  /** Lets time pass. */
  wait(seconds: number): void;
  end(ending?: Partial<Ending>): RunReport;
}

/** Collects a run's events line by line and ends in its report. */
export function runOf(secrets: readonly string[] = []): Story {
  let now = startedAt;
  const redactor = createRedactor();
  const collector = createCollector({ now: () => now });
  const ignore = (_: string | LogEvent) => {};
  const log = collector.tee({
    section: ignore,
    act: ignore,
    wait: ignore,
    warn: ignore,
    event: ignore,
  });
  return {
    log,
    wait: (seconds) => {
      now += seconds * 1000;
    },
    end(ending = {}) {
      // The secrets are known only now, but must be masked in earlier texts too.
      for (const secret of secrets) redactor.add(secret);
      return finishReport(
        collector.collected(),
        { stage: 'provision', runner: 'linux', links: [], ...ending },
        (report) => scrub(report, redactor.redact),
      );
    },
  };
}

/** Reports a bake that ends before its verdict. */
export function reportBake(count: { finished?: number; wanted: number }): RunReport {
  const { log, end } = runOf();
  const reason = '10m of 30m remain';
  log.event({
    kind: 'bake',
    shard: pink,
    verdict: 'watching',
    reason: 'an earlier look',
    wanted: 20,
  });
  log.event({ kind: 'bake', shard: pink, verdict: 'watching', reason, ...count });
  return end({ stage: 'bake' });
}

/** Reports a provision that builds, verifies and switches. */
export function reportProvision(): RunReport {
  const { log, wait, end } = runOf();
  log.event({ kind: 'record', how: 'read', deployment });
  log.event({ kind: 'guard', guard: 'lock', outcome: 'passed' });
  log.event({ kind: 'step', step: 'apply', phase: 'onboarded' });
  log.event({ kind: 'guard', guard: 'plan', outcome: 'passed' });
  wait(60);
  log.act('Applied pink: 13 added, 0 changed, 0 destroyed.');
  log.event({ kind: 'step', step: 'healthcheck', phase: 'applied' });
  wait(30);
  log.event({ kind: 'evidence', shard: pink, verdict: 'healthy', evidence: [good] });
  log.event({ kind: 'step', step: 'promote', phase: 'healthy' });
  log.event({ kind: 'record', how: 'written', deployment: { ...deployment, phase: 'promoted' } });
  log.event({ kind: 'status', active: pink });
  wait(2);
  return end({
    result: {
      kind: 'done',
      summary: ['deployment 101-5001 (candidate pink) is in phase promoted'],
    },
  });
}
