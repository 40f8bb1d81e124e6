import { Counter, Gauge, type OpenMetricsContentType, Registry } from 'prom-client';
import type { ShardHealth } from '../../operator/health-checker.ts';
import type { CachedVerdict } from './verdict-cache.ts';

const statuses = ['healthy', 'unhealthy', 'inconclusive', 'draining'] as const;
const states = ['good', 'missing', 'bad', 'unknown'] as const;

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** Renders OpenMetrics from the current verdict, again for each scrape. */
export async function exposeMetrics(
  verdict: CachedVerdict<ShardHealth>,
  runner: string,
): Promise<Exposition> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  registry.setDefaultLabels({ runner });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `hosted_runner_${name}`, help, labelNames, registers: [registry] });
  const counter = (name: string, help: string, value: number) =>
    new Counter({ name: `hosted_runner_${name}`, help, registers: [registry] }).inc(value);
  const { health, ageMs } = verdict;
  counter('checks', 'Checks of the shard since the start.', verdict.checks);
  counter('check_failures', 'Checks that ended in an error.', verdict.failures);
  gauge('stalled', '1 if the shard cannot be checked now.').set(
    verdict.stalled === undefined ? 0 : 1,
  );
  if (ageMs !== undefined)
    gauge('check_age_seconds', 'Age of the verdict.').set(Math.round(ageMs) / 1000);
  if (health !== undefined) exposeHealth(health, gauge);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

function exposeHealth(
  { shard, status, components, jobs }: ShardHealth,
  gauge: (name: string, help: string, labelNames?: string[]) => Gauge,
): void {
  const verdicts = gauge('health', '1 for the status of the shard.', ['shard', 'status']);
  for (const one of statuses) verdicts.set({ shard, status: one }, one === status ? 1 : 0);
  const evidence = gauge('evidence', '1 for the state of a kind of evidence.', [
    'shard',
    'kind',
    'state',
    'required',
  ]);
  for (const { kind, state, required } of components) {
    for (const one of states)
      evidence.set({ shard, kind, state: one, required: String(required) }, one === state ? 1 : 0);
  }
  if (jobs !== undefined)
    gauge('jobs', 'Jobs that the hosts list.', ['shard']).set({ shard }, jobs);
}
