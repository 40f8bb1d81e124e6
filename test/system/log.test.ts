import { describe, expect, test } from '@jest/globals';
import { logSections } from '../../src/adapters/ci/sections.ts';
import { type ClosableLog, createLog } from '../../src/adapters/system/log.ts';
import { endingLast } from '../../src/app/command-session.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { LogEvent } from '../../src/ports/log-event.ts';

function open(ci: 'gitlab' | 'github' | 'terminal' = 'terminal', live = false) {
  const time = { ms: 0 };
  const printed: string[] = [];
  const events: LogEvent[] = [];
  const shown: string[] = [];
  const clock: Clock = {
    now: () => Date.parse('2026-11-02T10:00:00Z') + time.ms,
    elapsed: () => time.ms,
    sleep: () => Promise.resolve(),
  };
  const log: ClosableLog = createLog({
    write: (text) => printed.push(text),
    clock,
    sections: logSections(ci),
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    onEvent: (event) => events.push(event),
    live: live
      ? {
          show: (text, sinceMs) => shown.push(`${text} @${time.ms - sinceMs}`),
          above: (print) => {
            shown.push('-');
            print();
          },
          refresh: () => {},
          clear: () => {},
          close: () => {},
        }
      : undefined,
  });
  return { log, time, events, shown, output: () => printed.join('') };
}

test('no event follows the end, even a late response', () => {
  const { log, events } = open();
  const ending = endingLast(log);
  ending.event({ kind: 'end', schema: 2, outcome: 'done' } as unknown as LogEvent);
  ending.event({ kind: 'step', step: 'drain', phase: 'draining' });
  expect(events.map(({ kind }) => kind)).toEqual(['end']);
});

describe('log sections', () => {
  function deploy(log: ClosableLog) {
    log.section('Drain of pink');
    log.act('Paused runner 48213.');
    log.section('Cleanup');
    log.close();
  }

  test('appear as titles on a terminal', () => {
    const { log, output } = open();
    deploy(log);
    expect(output()).toBe('Drain of pink\n  Paused runner 48213.\nCleanup\n');
  });

  test('fold in GitLab', () => {
    const { log, output } = open('gitlab');
    deploy(log);
    const clear = '\u001b[0K';
    expect(output()).toBe(
      [
        `${clear}section_start:1793613600:hosted_runner_1_drain_of_pink\r${clear}Drain of pink\n`,
        '  Paused runner 48213.\n',
        `${clear}section_end:1793613600:hosted_runner_1_drain_of_pink\r${clear}\n`,
        `${clear}section_start:1793613600:hosted_runner_2_cleanup\r${clear}Cleanup\n`,
        `${clear}section_end:1793613600:hosted_runner_2_cleanup\r${clear}\n`,
      ].join(''),
    );
  });

  test('fold in GitHub', () => {
    const { log, output } = open('github');
    deploy(log);
    expect(output()).toBe(
      '::group::Drain of pink\n  Paused runner 48213.\n::endgroup::\n::group::Cleanup\n::endgroup::\n',
    );
  });
});

describe('waits in the log', () => {
  test('appear when their reason changes, and once a minute otherwise', () => {
    const { log, time, output } = open();
    const wait = (atMs: number, text: string) => {
      time.ms = atMs;
      log.wait(text);
    };
    wait(0, 'Waiting: runner 48213 has not contacted GitLab, 10s of 15m');
    wait(10_000, 'Waiting: runner 48213 has not contacted GitLab, 20s of 15m');
    wait(59_000, 'Waiting: runner 48213 has not contacted GitLab, 1m 9s of 15m');
    wait(60_000, 'Waiting: runner 48213 has not contacted GitLab, 1m 10s of 15m');
    wait(61_000, 'Waiting: the canary runs, 1m 11s of 15m');
    wait(62_000, 'Waiting: the canary runs, 1m 12s of 15m');
    expect(output()).toBe(
      [
        '  Waiting: runner 48213 has not contacted GitLab, 10s of 15m\n',
        '  Waiting: runner 48213 has not contacted GitLab, 1m 10s of 15m\n',
        '  Waiting: the canary runs, 1m 11s of 15m\n',
      ].join(''),
    );
  });

  test('appear in one live line on a terminal, which disappears before other lines', () => {
    const { log, time, shown, output } = open('terminal', true);
    log.wait('Waiting: 2 jobs run');
    time.ms = 5000;
    log.wait('Waiting: 1 jobs run');
    log.act('Drained pink.');
    expect(shown).toEqual(['Waiting: 2 jobs run @0', 'Waiting: 1 jobs run @5000', '-']);
    expect(output()).toBe('  Drained pink.\n');
  });
});

describe('a log line', () => {
  test.each([
    ['secrets are redacted', 'token hunter2', '  token [redacted]\n'],
    ['the text is one line', 'a\nb\r\u001b[2Jc', '  a bc\n'],
    ['commands of GitHub disappear', '::add-mask::x', '  x\n'],
    ['commands of GitHub’s runner disappear', '##[error]x', '  error]x\n'],
    ['a secret cannot hide', 'hun\u0000ter2', '  [redacted]\n'],
  ])('keeps this rule: %s', (_, text, expected) => {
    const { log, output } = open();
    log.act(text);
    expect(output()).toBe(expected);
  });

  test('stands out if it is a warning', () => {
    const { log, output } = open();
    log.warn('Both shards are alive.');
    expect(output()).toBe('! Both shards are alive.\n');
  });
});

test('the event file gets every event, and every printed line', () => {
  const { log, events, output } = open();
  log.event({ kind: 'step', step: 'drain', phase: 'promoted' });
  log.act('Paused runner 48213.');
  log.warn('Both shards are alive: hunter2.');
  log.wait('Waiting: 2 jobs run');
  log.wait('Waiting: 2 jobs run');
  expect(events).toEqual([
    { kind: 'step', step: 'drain', phase: 'promoted' },
    { kind: 'said', how: 'act', text: 'Paused runner 48213.' },
    { kind: 'said', how: 'warning', text: 'Both shards are alive: [redacted].' },
    { kind: 'said', how: 'wait', text: 'Waiting: 2 jobs run' },
  ]);
  expect(output()).not.toContain('drain');
});
