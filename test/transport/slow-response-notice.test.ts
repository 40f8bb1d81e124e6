import { describe, expect, test } from '@jest/globals';
import { type AwsClientOptions, createAwsClient } from '../../src/adapters/aws/aws-client.ts';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import { createSlowResponseNotice } from '../../src/adapters/transport/slow-response-notice.ts';
import type { LogEvent } from '../../src/ports/log-event.ts';
import { createFakeServer, createTestTransport, json, networkError } from './fake-server.ts';
import { ok, read } from './requests.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

function listening(clock: VirtualClock) {
  const lines: string[] = [];
  const events: LogEvent[] = [];
  const notice = createSlowResponseNotice({ clock, report: (line) => lines.push(line) });
  return {
    lines,
    events,
    notice,
    log: { event: (event: LogEvent) => events.push(event) },
  };
}

describe('a service that a command polls', () => {
  test('causes one notice with the whole wait, and one event', () => {
    const { lines, events, notice, log } = listening(createVirtualClock());
    notice.report('Host i-1', { mostMs: 90_000, log });
    notice.report('Host i-1', { mostMs: 90_000, log });
    notice.report('Host i-2', {});
    expect(lines).toEqual([
      `! Host i-1 has not responded for 5s; still waiting, 1m 30s in total.\n`,
      '! Host i-2 has not responded for 5s; still waiting.\n',
    ]);
    expect(events).toEqual([{ kind: 'silence', side: 'Host i-1', ms: 5000 }]);
  });

  test('causes no notice after a cancellation', () => {
    const lines: string[] = [];
    const { signal, abort } = cancelled();
    const clock = createVirtualClock();
    const notice = createSlowResponseNotice({ clock, signal, report: (text) => lines.push(text) });
    abort();
    notice.report('Host i-1', {});
    expect(lines).toEqual([]);
  });

  test('causes no second notice by a call that gets no response', async () => {
    const clock = createVirtualClock();
    const { lines, notice } = listening(clock);
    notice.report('GitLab', {});
    await notice.watch('GitLab', () => clock.sleep(60_000));
    expect(lines).toHaveLength(1);
  });
});

/** Polls every half second, for at most the duration of the request. */
async function firstLineAt(clock: VirtualClock, lines: readonly string[]): Promise<number> {
  while (lines.length === 0 && clock.elapsed() < 60_000) await clock.sleep(500);
  return clock.elapsed();
}

const throttled = {
  name: 'ThrottlingException',
  $fault: 'client',
  $metadata: { httpStatusCode: 400 },
};

function cancelled() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

function awsService(options: Partial<AwsClientOptions> & Pick<AwsClientOptions, 'clock'>) {
  const client = { middlewareStack: { add: () => {} }, config: {}, destroy: () => {} };
  return createAwsClient(
    'SSM',
    {
      environment: {},
      random: { fraction: () => 0, id: () => 'x' } as never,
      redact: (text) => text,
      ...options,
    },
    async () => client,
  );
}

describe('a notice about a missing response', () => {
  test('appears after five seconds, once, and as an event', async () => {
    const clock = createVirtualClock();
    const { lines, events, notice, log } = listening(clock);
    const { fetch } = createFakeServer('silence', 'silence', ok);
    const { transport } = createTestTransport(fetch, { clock, slowNotice: notice, log });
    await transport(read);
    await transport(read);
    expect(lines).toEqual([
      `! ${read.source.split(' ')[0]} has not responded for 5s; still waiting.\n`,
    ]);
    expect(events.filter(({ kind }) => kind === 'silence')).toEqual([
      { kind: 'silence', side: read.source.split(' ')[0], ms: 5000 },
    ]);
  });

  const refusal = networkError('ECONNREFUSED');

  test('appears after five seconds if each connection is refused at once and retried', async () => {
    const clock = createVirtualClock();
    const { lines, events, notice, log } = listening(clock);
    const { fetch } = createFakeServer(refusal);
    const { transport } = createTestTransport(fetch, {
      clock,
      slowNotice: notice,
      log,
      fraction: 0.99,
    });
    const printedAt = firstLineAt(clock, lines);
    await expect(transport(read)).rejects.toMatchObject({ kind: 'unreachable' });
    expect(lines).toEqual(['! GitLab has not responded for 5s; still waiting.\n']);
    expect(await printedAt).toBe(5000);
    expect(events).toContainEqual({ kind: 'silence', side: 'GitLab', ms: 5000 });
  });

  test('appears for AWS, too', async () => {
    const clock = createVirtualClock();
    const { lines, notice, log } = listening(clock);
    const service = awsService({ clock, slowNotice: notice, log });
    const call = async () => {
      throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    };
    const printedAt = firstLineAt(clock, lines);
    const request = service.send({ what: 'GetParameter /x', effect: 'read', call });
    await expect(request).rejects.toMatchObject({ kind: 'unreachable' });
    expect(lines).toEqual(['! AWS has not responded for 5s; still waiting.\n']);
    expect(await printedAt).toBe(5000);
    expect(clock.elapsed()).toBeLessThanOrEqual(30_000);
  });

  test('stays away if a response came in between, even a 503', async () => {
    const clock = createVirtualClock();
    const { lines, notice } = listening(clock);
    const busy = json(503, {}, { 'retry-after': '4' });
    const { fetch } = createFakeServer(refusal, busy, refusal, busy, refusal, ok);
    const { transport } = createTestTransport(fetch, { clock, slowNotice: notice, fraction: 0.1 });
    await transport(read);
    expect(clock.elapsed()).toBeGreaterThan(8000);
    expect(lines).toEqual([]);
  });

  test('stays away if the service responds in time', async () => {
    const clock = createVirtualClock();
    const { lines, events, notice, log } = listening(clock);
    const { transport } = createTestTransport(createFakeServer(ok).fetch, {
      clock,
      slowNotice: notice,
      log,
    });
    await transport(read);
    await clock.sleep(10_000);
    expect([...lines, ...events]).toEqual([]);
  });

  test.each([
    ['a requested wait', json(429, {}, { 'retry-after': '30' })],
    ['maintenance', json(503, {}, { 'retry-after': '20' })],
  ])('stays away if the service responded with %s', async (_, first) => {
    const clock = createVirtualClock();
    const { lines, events, notice, log } = listening(clock);
    const { fetch, requests } = createFakeServer(first, ok);
    const { transport } = createTestTransport(fetch, { clock, slowNotice: notice, log });
    await transport(read);
    expect(requests).toHaveLength(2);
    expect(clock.elapsed()).toBeGreaterThan(10_000);
    expect([lines, events.filter(({ kind }) => kind === 'silence')]).toEqual([[], []]);
  });

  test('stays away before the first call', async () => {
    const clock = createVirtualClock();
    const { lines, notice } = listening(clock);
    const budget = createCallBudget({ clock });
    const own = budget.of(read.url.host);
    const queued = { of: () => ({ ...own, enter: () => clock.sleep(9000) }) };
    const { fetch } = createFakeServer(ok);
    await createTestTransport(fetch, {
      clock,
      slowNotice: notice,
      budget: queued as never,
    }).transport(read);
    expect([clock.elapsed() >= 9000, lines]).toEqual([true, []]);
  });

  test('stays away after a cancellation, because no caller waits', async () => {
    const clock = createVirtualClock();
    const lines: string[] = [];
    const { signal, abort } = cancelled();
    const notice = createSlowResponseNotice({ clock, signal, report: (line) => lines.push(line) });
    const answer = notice.watch('GitLab', () => clock.sleep(8000));
    abort();
    await answer;
    expect(lines).toEqual([]);
  });

  test('appears for each service separately', async () => {
    const clock = createVirtualClock();
    const { lines, notice } = listening(clock);
    const wait = () => clock.sleep(6000);
    await Promise.all([notice.watch('GitLab', wait), notice.watch('AWS', wait)]);
    await notice.watch('GitLab', wait);
    expect(lines).toEqual([
      '! GitLab has not responded for 5s; still waiting.\n',
      '! AWS has not responded for 5s; still waiting.\n',
    ]);
  });

  test('names AWS, whichever service it is', async () => {
    const clock = createVirtualClock();
    const { lines, events, notice, log } = listening(clock);
    const service = awsService({ clock, slowNotice: notice, log });
    const call = async () => {
      await clock.sleep(7000);
      return 'a value';
    };
    expect(await service.send({ what: 'GetParameter /x', effect: 'read', call })).toEqual({
      kind: 'answer',
      value: 'a value',
    });
    expect(lines).toEqual(['! AWS has not responded for 5s; still waiting.\n']);
    expect(events).toEqual([{ kind: 'silence', side: 'AWS', ms: 5000 }]);
  });

  test('stays away if AWS throttles, or if a call waits for its turn', async () => {
    const clock = createVirtualClock();
    const { lines, notice } = listening(clock);
    const turn = { enter: () => clock.sleep(9000), note: () => {} };
    const service = awsService({ clock, slowNotice: notice, budget: { of: () => turn } });
    let calls = 0;
    const call = async () => {
      calls += 1;
      if (calls < 3) throw Object.assign(new Error('slow down'), throttled);
      return 'a value';
    };
    await service.send({ what: 'GetParameter /x', effect: 'read', call });
    expect([calls, lines]).toEqual([3, []]);
  });
});
