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
  /** The promoted one. */
  readonly shard: Shard;
  /** Customers' jobs that have ended there; absent where they cannot be listed. */
  readonly jobs?: readonly FinishedJob[];
  /** Those that had ended on the old shard before. */
  readonly before: readonly FinishedJob[];
  /** What was seen to wait until now. */
  readonly waits: StarvationWatch;
  /** What both shards were seen to lack. */
  readonly health: HealthWatch;
  /** Runs a canary, which only the owner of the lock may. */
  readonly needs?: 'canary' | undefined;
}

interface Signal {
  readonly signal: string;
  readonly use: SignalUse;
  readonly heldMs?: number;
  ask(): Promise<SignalValue>;
}

/** One look at every signal that is configured, side by side; a canary comes last, by itself. */
export async function readSignals(
  context: StageContext,
  facts: SignalFacts,
): Promise<readonly SignalReading[]> {
  const asked = signalsOf(context, facts).filter(({ use }) => use !== 'off');
  const readings = await allSettledOrThrow(...asked.map((one) => () => read(one)));
  const { canary } = context.settings.bake.signals;
  if (facts.needs !== 'canary' || canary === 'off') return readings;
  const ask = () => canaryUnlessShared(context, facts.shard);
  return [...readings, await read({ signal: 'canary', use: canary, ask })];
}

/** One that fails while neither shard's hosts reach what a job needs says nothing of the new one. */
async function canaryUnlessShared(context: StageContext, shard: Shard): Promise<SignalValue> {
  const outcome = await runEndCanary(context, shard);
  const { retiring } = context.journal.current().deployment;
  if (outcome.value !== 'bad' || retiring === undefined) return outcome;
  const outage = await findSharedOutage(context, shard, retiring);
  return outage === undefined
    ? outcome
    : { value: 'unknown', detail: `${outcome.detail}; ${outage}` };
}

/** What one of them cannot say is unknown, with its reason. */
async function read({ signal, use, heldMs, ask }: Signal): Promise<SignalReading> {
  const held = heldMs === undefined ? {} : { heldMs };
  const reading = { signal, requirement: use === 'report' ? use : 'required', ...held } as const;
  try {
    return { ...reading, ...(await ask()) };
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
    { signal: 'health', use: signals.health, ask: () => facts.health.look(context, facts.shard) },
    {
      signal: 'failures',
      use: signals.failures,
      ask: async () =>
        facts.jobs === undefined
          ? { value: 'unknown', detail: "the customers' jobs cannot be listed" }
          : judgeFailures({ jobs: facts.jobs, before: facts.before, alpha: rates.alpha }),
    },
    ...signals.prometheus.map((query, index) => ({
      signal: `prometheus[${index}]`,
      use: query.use,
      heldMs: query.forMs,
      ask: () => readQuery(context, query),
    })),
    ...(signals.cloudwatchAlarms.length === 0
      ? []
      : [
          {
            signal: 'cloudwatch_alarms',
            use: 'required' as const,
            ask: () => readAlarms(context, signals.cloudwatchAlarms),
          },
        ]),
    ...(starvationMs === undefined
      ? []
      : [
          {
            signal: 'starvation',
            use: 'required' as const,
            ask: () => facts.waits.look(context, facts, starvationMs),
          },
        ]),
    ...(webhookUrl === undefined
      ? []
      : [
          {
            signal: 'webhook',
            use: 'required' as const,
            ask: async (): Promise<SignalValue> => {
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
    return { value: 'unknown', detail: [`the answer has no value`, ...doubts].join('; ') };
  const detail = `${highest}${series === '{}' ? '' : ` of ${series}`}`;
  if (highest > query.above) return { value: 'bad', detail: `${detail} is above ${query.above}` };
  // Of an answer that is not whole, a part that is good says nothing of the rest.
  return doubts.length > 0
    ? { value: 'unknown', detail: [detail, ...doubts].join('; ') }
    : { value: 'good', detail: `${detail} is not above ${query.above}` };
}

/** One in alarm is bad, whatever the others say; good only where all of them are. */
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
