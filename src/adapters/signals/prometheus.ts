import { z } from 'zod';
import type { PrometheusQuery } from '../../domain/settings.ts';
import { parseJson } from '../../domain/text/json.ts';
import { PortFailure } from '../../ports/failure.ts';
import type { Metric } from '../../ports/signals.ts';
import { readShape } from '../transport/answers/shape.ts';
import type { Transport } from '../transport/transport.ts';
import { quote, readMessage } from '../transport/words/quote.ts';
import type { Redactor } from '../transport/words/redaction.ts';

export interface Prometheus {
  readonly transport: Transport;
  readonly redactor: Redactor;
  /** Whole `Authorization` header, if the server needs one. */
  readonly authorization?: string;
}

/** Unix time and value. The value is text, to represent NaN and the infinities. */
const sample = z.tuple([z.number(), z.string()]);
const series = z.object({ metric: z.record(z.string(), z.string()), value: sample });

/**
 * Fields of https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries that a
 * decision uses.
 */
const answer = z.object({
  status: z.literal('success'),
  warnings: z.array(z.string()).nullish(),
  data: z.discriminatedUnion('resultType', [
    z.object({ resultType: z.literal('vector'), result: z.array(series) }),
    z.object({ resultType: z.literal('scalar'), result: sample }),
  ]),
});

const source = 'Prometheus GET /api/v1/query';

export async function readMetric(
  { transport, redactor, authorization }: Prometheus,
  { url: base, query }: PrometheusQuery,
): Promise<Metric> {
  const url = new URL(`${base}/api/v1/query`);
  url.searchParams.set('query', query);
  const { status, body } = await transport({
    method: 'GET',
    url,
    headers: {
      accept: 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    source,
    secretless: authorization === undefined,
  });
  if (status >= 400) throw refused(status, body, redactor);
  const read = readShape(answer, parseJson(body), { source, effect: 'none', redactor });
  const all =
    read.data.resultType === 'scalar'
      ? [{ metric: {}, value: read.data.result }]
      : read.data.result;
  const numbers = all
    .map(({ metric, value }) => ({ metric, value: numberOf(value[1]) }))
    .filter(({ value }) => !Number.isNaN(value));
  const highest = numbers.reduce<(typeof numbers)[number] | undefined>(
    (one, other) => (one === undefined || other.value > one.value ? other : one),
    undefined,
  );
  return {
    ...(highest === undefined
      ? {}
      : { highest: highest.value, series: quote(describe(highest.metric), redactor) }),
    doubts: (read.warnings ?? []).map((words) => quote(words, redactor)),
  };
}

function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  if (text === '-Inf') return Number.NEGATIVE_INFINITY;
  return text.trim() === '' ? Number.NaN : Number(text);
}

function describe(metric: Readonly<Record<string, string>>): string {
  const labels = Object.entries(metric).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${labels.join(', ')}}`;
}

function refused(status: number, body: string, redactor: Redactor): PortFailure {
  const kind = status === 401 ? 'unauthenticated' : status === 403 ? 'denied' : 'refused';
  const words = quote(readMessage(body).trim() || `answered ${status}`, redactor);
  return new PortFailure({ kind, effect: 'none', source, detail: words, status });
}
