import type { BakeQuestion, WebhookReading } from '../../ports/signals.ts';
import type { Transport } from '../transport/transport.ts';
import { quote, readMessage } from '../transport/words/quote.ts';
import type { Redactor } from '../transport/words/redaction.ts';

export interface Webhook {
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly authorization?: string;
}

/** They speak of who asks, and not of what was asked about. The transport keeps 408, 425 and 429. */
const ofTheAsker: ReadonlySet<number> = new Set([401, 403, 407]);

/**
 * A word of the user's own judge, by Flagger's convention (https://docs.flagger.app/usage/webhooks):
 * the status says it all. Sent again where no answer came: it asks, and changes nothing.
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
