import type { Signals } from '../../ports/signals.ts';
import type { Transport } from '../transport/transport.ts';
import type { Redactor } from '../transport/words/redaction.ts';
import { readMetric } from './prometheus.ts';
import { readWebhook } from './webhook-signal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface SignalsOptions {
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly environment: Environment;
}

/**
 * Creates the signals. Secrets come only from the environment. Without one, the request has no
 * credentials.
 */
export function createSignals({ transport, redactor, environment }: SignalsOptions): Signals {
  const secret = (name: string) => {
    const value = environment[name]?.trim() ?? '';
    redactor.add(value);
    return value;
  };
  const metricToken = secret('HOSTED_RUNNER_PROMETHEUS_TOKEN');
  const user = environment['HOSTED_RUNNER_PROMETHEUS_USER']?.trim() ?? '';
  const prometheus = headerOf(metricToken, user, redactor);
  const webhook = headerOf(secret('HOSTED_RUNNER_WEBHOOK_TOKEN'), '', redactor);
  return {
    readMetric: (query) => readMetric({ transport, redactor, ...prometheus }, query),
    askWebhook: (url, question) => readWebhook({ transport, redactor, ...webhook }, url, question),
  };
}

function headerOf(token: string, user: string, redactor: Redactor): { authorization?: string } {
  if (token === '') return {};
  if (user === '') return { authorization: `Bearer ${token}` };
  const basic = Buffer.from(`${user}:${token}`).toString('base64');
  redactor.add(basic);
  return { authorization: `Basic ${basic}` };
}
