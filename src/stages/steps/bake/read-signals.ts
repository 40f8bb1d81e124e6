import type { SignalReading } from '../../../domain/bake/judge-bake.ts';
import { judgeFailures } from '../../../domain/bake/judge-failures.ts';
import type { FinishedJob } from '../../../domain/registration.ts';
import type { PrometheusQuery, SignalUse } from '../../../domain/settings.ts';
import type { Shard } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { StageContext } from '../../context/context.ts';
import { allSettledOrThrow } from '../../context/parallel.ts';
import { findSharedOutage } from './common-outage.ts';
import { runEndCanary } from './end-canary.ts';
import type { HealthWatch } from './health-signal.ts';
import type { StarvationWatch } from './starvation.ts';

export type SignalValue = Pick<SignalReading, 'value' | 'detail'>;

export interface SignalFacts {
  /** Promoted shard. */
  readonly shard: Shard;
  /** Customer jobs that ended on the promoted shard; absent if they cannot be listed. */
  readonly jobs?: readonly FinishedJob[];
  /** Customer jobs that ended on the old shard before the promotion. */
  readonly before: readonly FinishedJob[];
  /** Earlier observations of waiting jobs. */
  readonly waits: StarvationWatch;
  /** Earlier observations of evidence that both shards lacked. */
  readonly health: HealthWatch;
  /** Requests a canary, which only the lock holder may run. */
  readonly needs?: 'canary' | undefined;
}

interface Signal {
  readonly signal: string;
  readonly use: SignalUse;
  readonly heldMs?: number;
  read(): Promise<SignalValue>;
}

/** Reads all configured signals in parallel, and then runs the canary. */
export async function readSignals(
  context: StageContext,
  facts: SignalFacts,
): Promise<readonly SignalReading[]> {
  const signals = signalsOf(context, facts).filter(({ use }) => use !== 'off');
  const readings = await allSettledOrThrow(...signals.map((one) => () => readSignal(one)));
  const { canary } = context.settings.bake.signals;
  if (facts.needs !== 'canary' || canary === 'off') return readings;
  const readCanary = () => canaryUnlessShared(context, facts.shard);
  return [...readings, await readSignal({ signal: 'canary', use: canary, read: readCanary })];
}

/** Runs the canary. It proves nothing while neither shard's hosts reach a required target. */
async function canaryUnlessShared(context: StageContext, shard: Shard): Promise<SignalValue> {
  const outcome = await runEndCanary(context, shard);
  const { retiring } = context.journal.current().deployment;
  if (outcome.value !== 'bad' || retiring === undefined) return outcome;
  const outage = await findSharedOutage(context, shard, retiring);
  return outage === undefined
    ? outcome
    : { value: 'unknown', detail: `${outcome.detail}; ${outage}` };
}

/** Reads one signal; a failed read is unknown, with its reason. */
async function readSignal({ signal, use, heldMs, read }: Signal): Promise<SignalReading> {
  const held = heldMs === undefined ? {} : { heldMs };
  const reading = { signal, requirement: use === 'report' ? use : 'required', ...held } as const;
  try {
    return { ...reading, ...(await read()) };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { ...reading, value: 'unknown', detail: error.message };
  }
}

function signalsOf(context: StageContext, facts: SignalFacts): readonly Signal[] {
  const { settings, ports, journal } = context;
  const { signals, rates } = settings.bake;
  const question = {
    deployment: journal.current().deployment.id,
    stack: settings.runnerName,
    shard: facts.shard,
  };
  const { starvationMs, webhookUrl } = signals;
  return [
    { signal: 'health', use: signals.health, read: () => facts.health.check(context, facts.shard) },
    {
      signal: 'failures',
      use: signals.failures,
      read: async () =>
        facts.jobs === undefined
          ? { value: 'unknown', detail: 'the customer jobs cannot be listed' }
          : judgeFailures({ jobs: facts.jobs, before: facts.before, alpha: rates.alpha }),
    },
    ...signals.prometheus.map((query, index) => ({
      signal: `prometheus[${index}]`,
      use: query.use,
      heldMs: query.forMs,
      read: () => readQuery(context, query),
    })),
    ...(signals.cloudwatchAlarms.length === 0
      ? []
      : [
          {
            signal: 'cloudwatch_alarms',
            use: 'required' as const,
            read: () => readAlarms(context, signals.cloudwatchAlarms),
          },
        ]),
    ...(starvationMs === undefined
      ? []
      : [
          {
            signal: 'starvation',
            use: 'required' as const,
            read: () => facts.waits.check(context, facts, starvationMs),
          },
        ]),
    ...(webhookUrl === undefined
      ? []
      : [
          {
            signal: 'webhook',
            use: 'required' as const,
            read: async (): Promise<SignalValue> => {
              const { kind, detail } = await ports.signals.askWebhook(webhookUrl, question);
              return { value: kind, detail };
            },
          },
        ]),
  ];
}

async function readQuery({ ports }: StageContext, query: PrometheusQuery): Promise<SignalValue> {
  const { highest, series, doubts } = await ports.signals.readMetric(query);
  if (highest === undefined)
    return { value: 'unknown', detail: ['the response has no value', ...doubts].join('; ') };
  const detail = `${highest}${series === '{}' ? '' : ` of ${series}`}`;
  if (highest > query.above) return { value: 'bad', detail: `${detail} is above ${query.above}` };
  // A good part of an incomplete response proves nothing about the rest.
  return doubts.length > 0
    ? { value: 'unknown', detail: [detail, ...doubts].join('; ') }
    : { value: 'good', detail: `${detail} is not above ${query.above}` };
}

/** Reads the alarms: bad if one is in alarm, good only if all are good. */
async function readAlarms({ ports }: StageContext, names: readonly string[]): Promise<SignalValue> {
  const words = await ports.alarms.read(names);
  const describe = (of: typeof words) =>
    of.map(({ name, detail }) => `${name}: ${detail}`).join('; ');
  const bad = words.filter(({ state }) => state === 'alarm');
  if (bad.length > 0) return { value: 'bad', detail: describe(bad) };
  const open = words.filter(({ state }) => state !== 'ok');
  if (open.length > 0) return { value: 'unknown', detail: describe(open) };
  return { value: 'good', detail: `${names.join(', ')} OK` };
}
