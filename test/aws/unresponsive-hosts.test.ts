import { describe, expect, test } from '@jest/globals';
import { createSlowResponseNotice } from '../../src/adapters/transport/slow-response-notice.ts';
import { ended, hostId, hostOver, invocation, sent, waiting } from './host-orders.ts';

const pending = invocation('Pending', { ResponseCode: -1 });

async function unresponsiveHost(...replies: Parameters<typeof hostOver>[0]) {
  const logged: string[] = [];
  const opened = await hostOver([sent, ...replies], (clock) => ({
    slowNotice: createSlowResponseNotice({ clock, report: (line) => logged.push(line) }),
  }));
  return { ...opened, logged };
}

describe('a host that does not respond', () => {
  const line = `! Host ${hostId} (Run Command) has not responded for 5s; still waiting, 1m 45s in total.\n`;

  test.each([
    ['its agent fetches nothing', pending],
    ['the check has begun and does not end', waiting],
  ])('causes one log line, with the limit of the wait, if %s', async (_, reply) => {
    const { host, logged } = await unresponsiveHost(reply);
    expect(await host.look(hostId)).toMatchObject({ kind: 'silent' });
    expect(logged).toEqual([line]);
  });

  test('delays the caller no longer than the caller’s limit', async () => {
    const { host, logged, clock } = await unresponsiveHost(waiting);
    expect(await host.look(hostId, { withinMs: 20_000 })).toEqual({
      kind: 'silent',
      reason: 'it has not responded within 20s: the command did not end on the host (InProgress)',
    });
    expect(clock.elapsed()).toBeLessThan(23_000);
    expect(logged).toEqual([line.replace('1m 45s', '20s')]);
  });

  test('causes no log line if it has begun to act', async () => {
    const replies = Array.from({ length: 5 }, () => waiting);
    const { host, logged } = await unresponsiveHost(...replies, ended(''));
    await host.quit(hostId).catch(() => undefined);
    expect(logged).toEqual([]);
  });
});

describe('a check of a host', () => {
  test('gets that much longer to end if it waits on the host, and a poll every second', async () => {
    const { host, clock, server } = await hostOver([sent, waiting]);
    expect(await host.look(hostId, { untilIdleMs: 30_500 })).toEqual({
      kind: 'silent',
      reason: 'the command did not end on the host (InProgress) for 135s',
    });
    expect(clock.elapsed()).toBeLessThan(136_000);
    const [order, ...polls] = server.requests;
    expect(order?.body).toMatchObject({
      Parameters: {
        executionTimeout: ['90'],
        commands: expect.arrayContaining(["wait='30'"]),
      },
    });
    expect(polls.length).toBeGreaterThan(135_000 / 1000);
  });

  test('waits at most half a minute on the host, however long the request', async () => {
    const { host, server } = await hostOver([sent, ended('jobs_code=7\nend=1\n')]);
    await host.look(hostId, { untilIdleMs: 3_600_000 });
    expect(JSON.stringify(server.requests[0])).toContain("wait='30'");
  });
});
