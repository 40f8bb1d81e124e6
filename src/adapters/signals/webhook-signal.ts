import type { BakeQuestion, WebhookReading } from '../../ports/signals.ts';
import type { Transport } from '../transport/transport.ts';
import { quote, readMessage } from '../transport/words/quote.ts';
import type { Redactor } from '../transport/words/redaction.ts';

export interface Webhook {
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly authorization?: string;
}

/**
 * Statuses that concern the credentials or the proxy, not the shard. The transport handles 408, 425
 * and 429.
 */
const ofTheAsker: ReadonlySet<number> = new Set([401, 403, 407]);

/**
 * Queries the user's own webhook by Flagger's convention (https://docs.flagger.app/usage/webhooks):
 * the status alone is the verdict. It is sent again without a response, because it has no effect.
 */
export async function readWebhook(
  { transport, redactor, authorization }: Webhook,
  address: string,
  question: BakeQuestion,
): Promise<WebhookReading> {
  const url = new URL(address);
  const { status, body } = await transport({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify(question),
    source: 'webhook POST',
    repeatable: true,
    secretless: authorization === undefined,
  });
  const words = quote(readMessage(body).trim(), redactor);
  const detail = words === '' ? `answered ${status}` : `answered ${status}: ${words}`;
  if (status >= 200 && status < 300) return { kind: 'good', detail };
  const isBad = status >= 400 && status < 500 && !ofTheAsker.has(status);
  return { kind: isBad ? 'bad' : 'unknown', detail };
}
