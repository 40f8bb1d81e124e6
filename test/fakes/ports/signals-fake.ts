import type { AlarmReading, Alarms } from '../../../src/ports/cloud/alarms.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import type { Metric, Signals, WebhookReading } from '../../../src/ports/signals.ts';
import type { World } from '../world/world.ts';

/** Results of other sources about a promoted shard. A missing source does not respond. */
export interface SignalsState {
  /** Metrics by query. */
  metrics?: Record<string, Metric>;
  webhook?: WebhookReading;
  /** Alarms by name. */
  alarms?: Record<string, Pick<AlarmReading, 'state' | 'detail'>>;
}

export function createSignalsFake(world: World): Signals {
  return {
    async readMetric({ query }) {
      const metric = world.signals.metrics?.[query];
      if (metric === undefined) throw createFailure('Prometheus GET /api/v1/query');
      return metric;
    },
    async askWebhook() {
      if (world.signals.webhook === undefined) throw createFailure('webhook POST');
      return world.signals.webhook;
    },
  };
}

export function createAlarmsFake(world: World): Alarms {
  return {
    async read(names) {
      const { alarms } = world.signals;
      if (alarms === undefined) throw createFailure('CloudWatch DescribeAlarms');
      return names.map((name) => ({
        name,
        ...(alarms[name] ?? { state: 'absent', detail: 'no such alarm exists' }),
      }));
    },
  };
}

function createFailure(source: string): PortFailure {
  return new PortFailure({ kind: 'unreachable', effect: 'none', source, detail: 'no answer' });
}
