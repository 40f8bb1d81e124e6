import { recordingSend } from '../../src/recording/recording.ts';
import { type FetchFunction, sendBy } from '../transport/fake-server.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';

export interface RecordedRequest {
  readonly method?: string;
  readonly url: string;
  readonly body?: string;
}

/** Records exchanges with a server. Returns the recording line by line. */
export async function record(
  fetch: FetchFunction,
  requests: readonly RecordedRequest[],
  redact = (text: string) => text.replaceAll('hunter2hunter2', '[MASKED]'),
): Promise<string[]> {
  const lines: string[] = [];
  const send = recordingSend(sendBy(fetch), {
    program: '0.1.0',
    run: 'run1',
    salt: 'salt',
    clock: createVirtualClock(),
    redact,
    write: (line) => lines.push(line),
  });
  for (const { method = 'GET', url, body } of requests) {
    await send({
      method,
      url: new URL(url, 'https://gitlab.hush.example/api/v4/'),
      headers: { 'private-token': 'glpat-hushhushhush' },
      body,
      signal: new AbortController().signal,
      maxAnswerBytes: 1_000_000,
    }).catch(() => undefined);
  }
  return lines;
}

/** Returns a recording's calls without the fields that every line has. */
export function callsIn(lines: readonly string[]): Record<string, unknown>[] {
  return lines.slice(1).map((line) => {
    const { run, n, at, kind, ms, ...rest } = JSON.parse(line) as Record<string, unknown>;
    return rest;
  });
}
