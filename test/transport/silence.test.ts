import { describe, expect, test } from '@jest/globals';
import { createAsked } from '../../src/adapters/aws/ask.ts';
import { createSilence } from '../../src/adapters/transport/silence.ts';
import type { LogEvent } from '../../src/ports/log-event.ts';
import { createFakeServer, createTestTransport } from './fake-server.ts';
import { ok, read } from './requests.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

function listening(clock: VirtualClock) {
  const lines: string[] = [];
  const events: LogEvent[] = [];
  const silence = createSilence({ clock, tell: (line) => lines.push(line) });
  return { lines, events, silence, log: { event: (event: LogEvent) => events.push(event) } };
}

describe('who does not answer is told of', () => {
  test('after five seconds, once, and as an event', async () => {
    const clock = createVirtualClock();
    const { lines, events, silence, log } = listening(clock);
    const { fetch } = createFakeServer('silence', 'silence', ok);
    const { transport } = createTestTransport(fetch, { clock, silence, log });
    await transport(read);
    await transport(read);
    expect(lines).toEqual([
      `! ${read.source.split(' ')[0]} has not answered for 5s; it is still waited for.\n`,
    ]);
    expect(events.filter(({ kind }) => kind === 'silence')).toEqual([
      { kind: 'silence', side: read.source.split(' ')[0], ms: 5000 },
    ]);
  });

  test('and nobody who answers in time', async () => {
    const clock = createVirtualClock();
    const { lines, events, silence, log } = listening(clock);
    const { transport } = createTestTransport(createFakeServer(ok).fetch, { clock, silence, log });
    await transport(read);
    await clock.sleep(10_000);
    expect([...lines, ...events]).toEqual([]);
  });

  test('each side by itself', async () => {
    const clock = createVirtualClock();
    const { lines, silence } = listening(clock);
    const wait = () => clock.sleep(6000);
    await Promise.all([silence.over('GitLab', wait), silence.over('AWS', wait)]);
    await silence.over('GitLab', wait);
    expect(lines).toEqual([
      '! GitLab has not answered for 5s; it is still waited for.\n',
      '! AWS has not answered for 5s; it is still waited for.\n',
    ]);
  });

  test('AWS under its own name, whichever service it is', async () => {
    const clock = createVirtualClock();
    const { lines, events, silence, log } = listening(clock);
    const client = { middlewareStack: { add: () => {} }, config: {}, destroy: () => {} };
    const service = createAsked(
      'SSM',
      {
        environment: {},
        clock,
        random: { fraction: () => 0, id: () => 'x' } as never,
        redact: (text) => text,
        silence,
        log,
      },
      async () => client,
    );
    const call = async () => {
      await clock.sleep(7000);
      return 'a value';
    };
    expect(await service.ask({ what: 'GetParameter /x', effect: 'read', call })).toEqual({
      kind: 'answer',
      value: 'a value',
    });
    expect(lines).toEqual(['! AWS has not answered for 5s; it is still waited for.\n']);
    expect(events).toEqual([{ kind: 'silence', side: 'AWS', ms: 5000 }]);
  });
});
