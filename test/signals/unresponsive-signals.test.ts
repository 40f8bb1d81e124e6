import { describe, expect, test } from '@jest/globals';
import { createAwsClient, type SdkClient } from '../../src/adapters/aws/aws-client.ts';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import type { Composition } from '../../src/app/compose/compose.ts';
import { composeSignals } from '../../src/app/compose/compose-signals.ts';
import { read } from '../structure/tree.ts';
import { createFakeServer, sendBy } from '../transport/fake-server.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';

const second = 1000;
const random = { id: () => 'abcdefgh12345678', fraction: () => 0.5 };
const noResponse = { kind: 'unreachable', effect: 'none' };

describe('a signal without a response', () => {
  test('ends after 20 seconds in one check, for Prometheus or a webhook', async () => {
    const clock = createVirtualClock();
    const { fetch, requests } = createFakeServer('silence');
    const surroundings = {
      clock,
      random,
      redactor: createRedactor(),
      budget: createCallBudget({ clock }),
      environment: {},
      send: sendBy(fetch),
    };
    const log = { event: () => undefined };
    const signal = () => new AbortController().signal;
    const signals = composeSignals({ surroundings, signal, log } as unknown as Composition);
    const url = 'http://127.0.0.1:9090';
    const query = { query: 'up', url, above: 1, forMs: 0, use: 'required' } as const;
    await expect(signals.readMetric(query)).rejects.toMatchObject(noResponse);
    expect(clock.elapsed()).toBe(20 * second);
    const question = { deployment: '1-200', stack: 'linux', shard: 'pink' };
    await expect(signals.askWebhook(url, question)).rejects.toMatchObject(noResponse);
    expect(clock.elapsed()).toBe(40 * second);
    expect(requests).toHaveLength(4);
  });

  test('continues for half a minute with attempts of ten seconds, for CloudWatch', async () => {
    const clock = createVirtualClock();
    const cloudWatch = createAwsClient<SdkClient>(
      'CloudWatch',
      { environment: {}, clock, random, redact: (text) => text },
      async () => ({ middlewareStack: { add: () => undefined }, destroy: () => undefined }),
    );
    const request = cloudWatch.send({
      what: 'DescribeAlarms',
      effect: 'read',
      call: async () => {
        await clock.sleep(10 * second);
        throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
      },
    });
    await expect(request).rejects.toMatchObject(noResponse);
    expect(Math.floor(clock.elapsed() / second)).toBe(30);
  });

  test('appears in the documentation of the sandbox', () => {
    const text = read('docs/use/sandbox.md');
    expect(text).toContain('20 seconds per check');
    expect(text).not.toContain('three minutes per check');
  });
});
