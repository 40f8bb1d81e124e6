import type { AlarmReading, Alarms } from '../../../src/ports/cloud/alarms.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import type { Metric, Signals, WebhookReading } from '../../../src/ports/signals.ts';
import type { World } from '../world/world.ts';

/** What others say of a promoted shard. What is not told here does not answer. */
export interface SignalsState {
  /** By query. */
  metrics?: Record<string, Metric>;
  webhook?: WebhookReading;
  /** By name. */
  alarms?: Record<string, Pick<AlarmReading, 'state' | 'detail'>>;
}

export function createSignalsFake(world: World): Signals {
  return {
    async readMetric({ query }) {
      const metric = world.signals.metrics?.[query];
      if (metric === undefined) throw silent('Prometheus GET /api/v1/query');
      return metric;
    },
    async askWebhook() {
      if (world.signals.webhook === undefined) throw silent('webhook POST');
      return world.signals.webhook;
    },
  };
}

export function createAlarmsFake(world: World): Alarms {
  return {
    async read(names) {
      const { alarms } = world.signals;
      if (alarms === undefined) throw silent('CloudWatch DescribeAlarms');
      return names.map((name) => ({
        name,
        ...(alarms[name] ?? { state: 'absent', detail: 'there is no such alarm' }),
      }));
    },
  };
}

function silent(source: string): PortFailure {
  return new PortFailure({ kind: 'unreachable', effect: 'none', source, detail: 'no answer' });
}
