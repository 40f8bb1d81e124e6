import { expect, test } from '@jest/globals';
import { renderApiCalls } from '../../../src/cli/terminal/api-calls.ts';
import type { CallUsage } from '../../../src/domain/call-usage.ts';

const gitlab: CallUsage = {
  service: 'GitLab',
  endpoint: 'gitlab.com',
  calls: 42,
  last_minute: 12,
  last_hour: 41,
  throttled: 1,
  limits: [
    { source: 'response_header', calls: 1800, per: 'minute' },
    { source: 'key', key: 'gitlab.calls_per_hour', calls: 5000, per: 'hour' },
  ],
  remaining: { calls: 1987, of: 2000, resets_at: '2026-11-02T10:01:00.000Z' },
};
const parameters: CallUsage = {
  ...gitlab,
  service: 'EC2',
  endpoint: '',
  throttled: 0,
  limits: [{ source: 'default', calls: 1500, per: 'minute' }],
  remaining: null,
};

test('each API has one row of calls, with each limit and its source', async () => {
  const rows = (await renderApiCalls([gitlab, parameters])).split('\n');
  const cells = rows
    .filter((row) => row.startsWith('│'))
    .map((row) => row.split('│').map((cell) => cell.trim()));
  expect(cells.map((row) => row.slice(1, -1))).toEqual([
    [
      'API',
      'calls of this run',
      'last minute',
      'last hour',
      'throttled',
      'limit in force',
      'remaining',
    ],
    [
      'GitLab (gitlab.com)',
      '42',
      '12',
      '41',
      '1',
      '1800 a minute (response header)',
      '1987 of 2000 until 2026-11-02T10:01:00.000Z',
    ],
    ['', '', '', '', '', '5000 an hour (gitlab.calls_per_hour)', ''],
    ['EC2', '42', '12', '41', '0', '1500 a minute (default)', 'not reported'],
  ]);
});

test('a narrow terminal shows a line for each number', async () => {
  const text = await renderApiCalls([gitlab], { columns: 60 });
  expect(text).toContain('  GitLab (gitlab.com)\n    calls of this run: 42\n');
  expect(text).toContain(
    'limit in force: 1800 a minute (response header), 5000 an hour (gitlab.calls_per_hour)',
  );
});

test('a run without a call reports that there was none', async () => {
  expect(await renderApiCalls([])).toBe('API calls: none.\n');
});
