import { describe, expect, test } from '@jest/globals';
import { openCalls } from '../../../src/app/compose/port-calls.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import type { Ports } from '../../../src/ports/ports.ts';
import { createEventLines } from '../../../src/report/event-file/event-lines.ts';

/** A recorder over ports that answer what they are given, and the lines that come out. */
function open(answers: Record<string, Record<string, unknown>>) {
  const lines: string[] = [];
  const time = { ms: 0 };
  const event = createEventLines({
    run: 'r1',
    clock: { now: () => Date.parse('2026-11-02T10:00:00Z') + time.ms, elapsed: () => time.ms },
    redact: (text) => text.replaceAll('hunter2', '[MASKED]'),
    write: (line) => lines.push(line),
  });
  const { signal } = new AbortController();
  const calls = openCalls({ signal, stage: 'deploy', again: '', log: { event } });
  const { uncancelable: ports } = calls.around(answers as unknown as Ports);
  return { ports, event, time, lines, parsed: () => lines.map((line) => JSON.parse(line)) };
}

const base = '/gitlab/dedicated/runner/linux';

describe('a call', () => {
  test('that only reads is one line, with what was asked and answered', async () => {
    const { ports, parsed } = open({ registry: { find: async () => ({ kind: 'absent' }) } });
    await ports.registry.find('48213' as never);
    expect(parsed()).toEqual([
      {
        at: '2026-11-02T10:00:00.000Z',
        ms: 0,
        run: 'r1',
        n: 1,
        kind: 'call',
        c: 1,
        call: 'registry.find',
        effect: false,
        args: ['48213'],
        outcome: 'answered',
        answer: { kind: 'absent' },
      },
    ]);
  });

  test('with an effect is told before it begins, so that a killed run shows what it may have done', () => {
    const { ports, parsed } = open({ registry: { retire: () => new Promise(() => undefined) } });
    void ports.registry.retire('48213' as never);
    expect(parsed()).toMatchObject([
      { kind: 'begin', c: 1, call: 'registry.retire', args: ['48213'] },
    ]);
  });

  test('that fails says how, and whether the world may have changed', async () => {
    const failure = new PortFailure({
      kind: 'unreachable',
      effect: 'unknown',
      source: 'GitLab PUT /runners/48213',
      detail: 'connection reset hunter2',
    });
    const { ports, parsed } = open({ registry: { setIntake: () => Promise.reject(failure) } });
    await expect(ports.registry.setIntake('48213' as never, 'closed')).rejects.toBe(failure);
    expect(parsed()[1]).toMatchObject({
      outcome: 'rejected',
      failure: 'unreachable',
      effect_unknown: true,
      error: 'PortFailure: GitLab PUT /runners/48213: connection reset [MASKED]',
    });
  });

  test('that streams is answered by its result', async () => {
    const { ports, parsed } = open({
      infrastructure: {
        async *destroy() {
          yield { kind: 'progress', text: 'one' };
          yield { kind: 'done', counts: { destroyed: 2 }, outputs: {} };
        },
      },
    });
    const seen = [];
    for await (const one of ports.infrastructure.destroy({} as never)) seen.push(one);
    expect(seen).toHaveLength(2);
    expect(parsed()).toMatchObject([
      { kind: 'begin' },
      { kind: 'call', answer: { counts: { destroyed: 2 } } },
    ]);
  });

  test('that reads the same again names the line that has the answer', async () => {
    const value = { answer: 'idle' };
    const { ports, parsed } = open({ host: { look: async () => ({ ...value }) } });
    await ports.host.look('i-1');
    await ports.host.look('i-1');
    value.answer = 'busy';
    await ports.host.look('i-1');
    const [first, second, third] = parsed();
    expect(first).toMatchObject({ args: ['i-1'], answer: { answer: 'idle' } });
    expect(second).toMatchObject({ call: 'host.look', same_as: 1 });
    expect(second).not.toHaveProperty('answer');
    expect(third).toMatchObject({ answer: { answer: 'busy' } });
  });

  test('of the clock, of chance and of the process table is none', async () => {
    const { ports, lines } = open({ clock: { sleep: async () => undefined } });
    await ports.clock.sleep(1);
    expect(lines).toEqual([]);
  });
});

describe('what is never in a line, though nobody told the redactor', () => {
  test('a token that is stored or read', async () => {
    const parameter = { value: 'glrt-secret', version: 1, modifiedAt: '' };
    const { ports, lines } = open({
      parameters: {
        create: async () => ({ kind: 'created', version: 1 }),
        overwrite: async () => ({ version: 2 }),
        find: async () => parameter,
      },
    });
    const name = `${base}/pink/runner_token`;
    await ports.parameters.create({ name, value: 'glrt-secret', secret: true });
    await ports.parameters.overwrite({ name, value: 'glrt-secret', secret: true });
    await ports.parameters.find(name);
    expect(lines).toHaveLength(5);
    expect(lines.join()).not.toContain('glrt-secret');
    expect(lines.join()).toContain('(not shown)');
  });

  test('a token that GitLab has just made', async () => {
    const { ports, lines } = open({
      registry: {
        create: async () => ({ id: '1', token: 'glrt-secret' }),
        resetToken: async () => ({ token: 'glrt-secret' }),
      },
    });
    await ports.registry.create({} as never);
    await ports.registry.resetToken('1' as never);
    expect(lines.join()).not.toContain('glrt-secret');
  });

  test('the note of a runner', async () => {
    const value = { id: '1', note: 'room 12' };
    const { ports, lines } = open({ registry: { find: async () => ({ kind: 'found', value }) } });
    await ports.registry.find('1' as never);
    expect(lines.join()).not.toContain('room 12');
  });

  test('lines of a host’s log', async () => {
    const { ports, lines } = open({
      host: { look: async () => ({ kind: 'report', log: ['a customer’s words'] }) },
    });
    await ports.host.look('i-1');
    expect(lines.join()).not.toContain('customer');
  });
});

test('the record and the status are shown whole, and redacted', async () => {
  const name = `${base}/deployment_record`;
  const { ports, parsed } = open({ parameters: { overwrite: async () => ({ version: 2 }) } });
  await ports.parameters.overwrite({ name, value: '{"by":"hunter2"}' });
  expect(parsed()[0]).toMatchObject({ args: [{ name, value: '{"by":"[MASKED]"}' }] });
});

test('every line has the time, the time since the beginning, its run and its number', () => {
  const { event, time, parsed } = open({});
  event({ kind: 'step', step: 'drain', phase: 'promoted' });
  time.ms = 1500;
  event({ kind: 'step', step: 'stop', phase: 'drained' });
  expect(parsed()).toMatchObject([
    { at: '2026-11-02T10:00:00.000Z', ms: 0, run: 'r1', n: 1 },
    { at: '2026-11-02T10:00:01.500Z', ms: 1500, run: 'r1', n: 2 },
  ]);
});

test('every name of a field is in snake_case, but what a module has named its outputs', async () => {
  const { ports, parsed } = open({
    registry: { find: async () => ({ kind: 'found', value: { runUntagged: false } }) },
    infrastructure: { exists: async () => ({ outputs: { ofTheModule: { maxAge: 1 } } }) },
  });
  await ports.registry.find('48213' as never);
  await ports.infrastructure.exists({ runnerName: 'linux' } as never);
  expect(parsed()).toMatchObject([
    { answer: { value: { run_untagged: false } } },
    { args: [{ runner_name: 'linux' }], answer: { outputs: { ofTheModule: { maxAge: 1 } } } },
  ]);
});
