import { describe, expect, test } from '@jest/globals';
import { wholeLine } from '../../../src/adapters/aws/line-text.ts';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import { diagnose } from '../../../src/domain/health/diagnose.ts';
import type { DiagnosisCode } from '../../../src/domain/health/diagnosis.ts';
import { diagnoses } from '../../../src/domain/health/diagnosis-catalogue.ts';
import { shownLine, shownMatch } from '../../../src/domain/text/log-line.ts';
import {
  authority,
  byTls,
  coloured,
  executed,
  expired,
  ids,
  jobs,
  eras as mainEras,
  newIds,
  posted,
  refusedConnection,
} from './runner-log.ts';
import { autoscalerLines } from './runner-log-autoscaler.ts';
import { failingLines } from './runner-log-failing.ts';

const eras = [...mainEras, ...autoscalerLines, ...failingLines];

/** Reads a log line as the host check returns it. */
const read = (line: string) => wholeLine(line, (whole) => whole);
const named = { runner: 'linux', shard: 'pink', words: gitlabTerms };
const found = (log: readonly string[], clockOffMs?: number) =>
  diagnose(
    {
      missing: [],
      reports: [
        {
          id: 'i-0abc',
          process: 'running',
          log: log.map(read),
          ...(clockOffMs === undefined ? {} : { clockOffMs }),
        },
      ],
    },
    named,
  );
const codes = (log: readonly string[], clockOffMs?: number) =>
  found(log, clockOffMs).map(({ code }) => code);

describe('the causes in log lines of released runners', () => {
  test.each(eras)('%s: %j', (_, line, expected) => {
    expect(codes([line])).toEqual(expected);
  });

  test('a reason behind byte 200 is among the words that are shown', () => {
    const status = executed(byTls(authority));
    const line = coloured('warning', `${jobs} failed`, { ...newIds, status });
    expect(line.indexOf(authority)).toBeGreaterThan(300);
    const [cause] = found([line]);
    expect(cause?.seen).toMatch(/^"WARNING: Checking for jobs\.{3} failed status=/);
    expect(cause?.seen).toContain(authority);
    expect(cause?.seen.length).toBeLessThanOrEqual(245);
  });
});

const forbidden = coloured('error', `${jobs} forbidden`, ids);
const silenced = coloured(
  'error',
  'Runner "https://gitlab.example.comAbCdEfGhI" is unhealthy and will be disabled for 1h0m0s seconds!',
);
const loaded = coloured('info', 'Configuration loaded', { builds: '0' });
const unreachable = coloured('warning', `${jobs} failed`, {
  ...ids,
  status: posted(refusedConnection),
});

describe('the signs of causes in the catalogue', () => {
  const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  /** Signs that come from other sources than the runner's log. */
  const elsewhere = ['gitlab-runner verify', 'is not valid', 'is removed', 'runner_system_failure'];
  /** Signs in the log of GitHub's runner, which test/domain/health/sign-ends.test.ts tests. */
  const ofGitHub = [
    'clock may be out of sync',
    'Current server time is',
    'API rate limit exceeded',
    'secondary rate limit',
    'Http response code: TooManyRequests',
    'failed with status: TooManyRequests',
    'Http response code: InternalServerError',
    'failed with status: InternalServerError',
  ];

  test.each([...new Set(eras.flatMap(([, , found]) => found))])(
    'match the log lines of %s',
    (code) => {
      const lines = eras.filter(([, , found]) => found.includes(code)).map(([, line]) => line);
      const words = [...diagnoses[code].signs.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
      const isIn = (line: string) => (word: string) =>
        new RegExp(word.split(/ ?… ?/).map(literally).join('.*')).test(line);
      expect(lines.filter((line) => !words.some(isIn(line)))).toEqual([]);
      const idle = words.filter((word) => !lines.some((line) => isIn(line)(word)));
      expect(idle.filter((word) => ![...elsewhere, ...ofGitHub].includes(word))).toEqual([]);
    },
  );
});

describe('a cause that a later line ends or confirms', () => {
  test.each<[string, readonly string[], readonly DiagnosisCode[]]>([
    [
      'three refusals disable a runner',
      [forbidden, forbidden, forbidden, silenced],
      ['token_refused'],
    ],
    ['a reload ends the refusals', [forbidden, silenced, loaded], []],
    [
      'a refusal after the reload counts',
      [forbidden, silenced, loaded, forbidden],
      ['token_refused'],
    ],
    [
      'a job that is received ends a refusal',
      [forbidden, coloured('info', `${jobs} received`)],
      [],
    ],
    ['a response ends a network cause', [unreachable, forbidden], ['token_refused']],
    [
      'an unknown executor disables a runner',
      [coloured('error', 'Executor "instnce" is not known; marking Runner as unhealthy'), silenced],
      ['executor_broken'],
    ],
    [
      'a client that cannot be created disables a runner',
      [
        coloured('error', `${jobs} client error`, { ...ids, status: 'get client: new client' }),
        silenced,
      ],
      [],
    ],
  ])('%s', (_, log, expected) => {
    expect(codes(log)).toEqual(expected);
  });
});

describe('an expired certificate', () => {
  const line = coloured('warning', `${jobs} failed`, {
    ...newIds,
    status: executed(byTls(expired)),
  });
  test.each<[string, number | undefined, readonly DiagnosisCode[]]>([
    [
      'has two possible causes if the clock is unknown',
      undefined,
      ['certificate_untrusted', 'clock_off'],
    ],
    ['has expired if the clock is right', 0, ['certificate_untrusted']],
    ['has not expired if the clock is wrong', -7_200_000, ['clock_off']],
  ])('%s', (_, clockOffMs, expected) => {
    expect(codes([line], clockOffMs)).toEqual(expected);
  });
});

test('a refusal may pass, because the maintenance mode of GitLab causes the same response', () => {
  const [cause] = found([forbidden]);
  expect([cause?.time, cause?.because]).toEqual([
    'may_help',
    "a runner cannot distinguish GitLab's maintenance mode (temporary) from an invalid token (permanent); after three refusals, a runner stops polling for an hour (unhealthy_interval), or until it loads its configuration again",
  ]);
});

describe('a long log line', () => {
  const long = `${'a'.repeat(300)} reason ${'z'.repeat(300)}`;
  test('shows its beginning and its end', () => {
    expect(shownLine(long)).toBe(`${'a'.repeat(80)}…${'z'.repeat(160)}`);
    expect(shownLine(' short ')).toBe('short');
  });

  test('shows the part that matched', () => {
    expect(shownMatch(long, /reason/)).toBe(`…${'a'.repeat(133)} reason ${'z'.repeat(99)}…`);
    expect(shownMatch('the reason', /reason/)).toBe('the reason');
  });
});
