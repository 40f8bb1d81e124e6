import { describe, expect, test } from '@jest/globals';
import { openCalls } from '../../../src/app/compose/port-calls.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import type { Ports } from '../../../src/ports/ports.ts';
import { createEventLines } from '../../../src/report/event-file/event-lines.ts';

/** Opens a recorder over ports with the given responses. Returns the recorded lines. */
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

describe('a call in the event file', () => {
  test('appears as one line with request and response if it only reads', async () => {
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

  test('appears before an effect begins, for a run that is killed later', () => {
    const { ports, parsed } = open({ registry: { retire: () => new Promise(() => undefined) } });
    void ports.registry.retire('48213' as never);
    expect(parsed()).toMatchObject([
      { kind: 'begin', c: 1, call: 'registry.retire', args: ['48213'] },
    ]);
  });

  test('shows its failure, and whether something may have changed', async () => {
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

  test('shows the result of a stream', async () => {
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

  test('refers to the earlier line if a read returns the same response again', async () => {
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

  test('does not appear for the clock, the random source and the process table', async () => {
    const { ports, lines } = open({ clock: { sleep: async () => undefined } });
    await ports.clock.sleep(1);
    expect(lines).toEqual([]);
  });
});

describe('text that never appears in an event line, even unregistered', () => {
  test('includes a token that is stored or read', async () => {
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

  test('includes a token that GitLab has just created', async () => {
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

  test('includes the note of a runner', async () => {
    const value = { id: '1', note: 'room 12' };
    const { ports, lines } = open({ registry: { find: async () => ({ kind: 'found', value }) } });
    await ports.registry.find('1' as never);
    expect(lines.join()).not.toContain('room 12');
  });

  test('includes lines of a host’s log', async () => {
    const { ports, lines } = open({
      host: { look: async () => ({ kind: 'report', log: ['a customer’s words'] }) },
    });
    await ports.host.look('i-1');
    expect(lines.join()).not.toContain('customer');
  });
});

test('the record and the status are shown completely, with secrets masked', async () => {
  const name = `${base}/deployment_record`;
  const { ports, parsed } = open({ parameters: { overwrite: async () => ({ version: 2 }) } });
  await ports.parameters.overwrite({ name, value: '{"by":"hunter2"}' });
  expect(parsed()[0]).toMatchObject({ args: [{ name, value: '{"by":"[MASKED]"}' }] });
});

test('every line has the time, the time since the start, its run and its number', () => {
  const { event, time, parsed } = open({});
  event({ kind: 'step', step: 'drain', phase: 'promoted' });
  time.ms = 1500;
  event({ kind: 'step', step: 'stop', phase: 'drained' });
  expect(parsed()).toMatchObject([
    { at: '2026-11-02T10:00:00.000Z', ms: 0, run: 'r1', n: 1 },
    { at: '2026-11-02T10:00:01.500Z', ms: 1500, run: 'r1', n: 2 },
  ]);
});

test('every field name is in snake_case, except the output names of a module', async () => {
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
