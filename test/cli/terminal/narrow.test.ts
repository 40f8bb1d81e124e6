import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import { renderReports } from '../../../src/cli/terminal/status-view.ts';
import { dress } from '../../../src/cli/terminal/terminal-style.ts';
import { renderTableWithin } from '../../../src/cli/terminal/terminal-table.ts';
import type { ShardReport } from '../../../src/operator/shard-report.ts';
import type { StackReport } from '../../../src/operator/status-report.ts';

function shard(name: string, more: Partial<ShardReport>): ShardReport {
  return {
    shard: name,
    role: 'inactive',
    service: { verdict: 'disproven', reason: 'there is no machine' },
    unhealthy_in_a_row: 0,
    registrations: [],
    hosts: [],
    endings: [],
    token_endings: [],
    jobs: [],
    ...more,
  };
}

const report = {
  runner: 'linux',
  registry: gitlabTerms,
  now: 'purple serves jobs: runner 48002 of purple is unpaused and has its tags, its process runs, and canary job 900002 ran on purple 7m 51s ago.',
  deployment_status: { kind: 'absent' },
  active_since: null,
  finding: null,
  unanswered: [],
  deployment: null,
  lock: null,
  hold: null,
  shards: [
    shard('pink', {}),
    shard('purple', {
      role: 'active',
      service: { verdict: 'proven', reason: 'a canary job ran there' },
      registrations: [
        {
          id: '48002',
          paused: false,
          tags: ['linux', 'docker', 'x86-64'],
          managers: [
            { id: '70002', version: '19.4.0' },
            { id: '70003', version: '19.4.0' },
          ],
        },
      ] as unknown as ShardReport['registrations'],
      hosts: ['i-28d8045d43ce82f20', 'i-38d8045d43ce82f21'].map((id) => ({ id, agent: 'online' })),
      jobs: [
        {
          id: '900017',
          name: 'integration-tests-of-everything',
          status: 'running',
          url: 'https://gitlab.example.com/acme/app/-/jobs/900017',
        },
      ],
    }),
  ],
  history: [],
} as unknown as StackReport;

const widest = (text: string) => Math.max(...text.split('\n').map((line) => [...line].length));

describe('the status of a stack', () => {
  test('stays a table of any width in a pipe', async () => {
    expect(widest(await renderReports([report]))).toBeGreaterThan(100);
  });

  test('shows jobs as unknown, not as none, if GitLab did not respond', async () => {
    const unread = shard('pink', { registrations: '401 Unauthorized' });
    const shown = await renderReports([{ ...report, shards: [unread] } as StackReport]);
    const row = shown.split('\n').find((line) => line.includes('pink '));
    expect(row?.split('│').map((cell) => cell.trim())).toContain('not known');
    expect(row?.match(/not known/g)).toHaveLength(3);
  });

  test.each([
    ['disproven', [], 'absent'],
    ['closed', [], 'absent'],
    ['closed', [{ id: '48001', paused: true, tags: ['linux'], managers: [] }], 'no, paused'],
    ['closed', '401 Unauthorized', 'no, paused'],
  ])(
    'shows only an existing runner as paused: %s, %j',
    async (verdict, registrations, expected) => {
      const more = { service: { verdict, reason: 'of it' }, registrations } as Partial<ShardReport>;
      const one = { ...report, shards: [shard('pink', more)] } as StackReport;
      const row = (await renderReports([one])).split('\n').find((line) => line.includes('pink '));
      expect(row?.split('│')[3]?.trim()).toBe(expected);
    },
  );

  test.each([80, 100])('fits a terminal of %i columns', async (columns) => {
    const shown = dress(await renderReports([report], { columns }), { color: false, columns });
    expect(widest(shown)).toBeLessThanOrEqual(columns);
    for (const word of ['48002', '70003', 'i-38d8045d43ce82f21', 'integration-tests-of-everything'])
      expect(shown).toContain(word);
  });

  test('prints a paragraph for each shard if a table does not fit', async () => {
    const columns = 80;
    const shown = dress(await renderReports([report], { columns }), { color: false, columns });
    expect(shown.split('\n').slice(4)).toEqual([
      '  pink  inactive, absent',
      '  purple  active, accepts jobs: yes',
      '    runner: 48002 [linux, docker, x86-64]',
      '    managers: 70002 (19.4.0), 70003 (19.4.0)',
      '    jobs: 900017 integration-tests-of-everything running',
      '    hosts: i-28d8045d43ce82f20 online, i-38d8045d43ce82f21 online',
      '',
    ]);
  });
});

describe('a terminal table', () => {
  const cells = {
    head: ['', 'pink', 'purple'],
    rows: [['host (Run Command)', 'none', 'i-28d8045d43ce82f20 online, running, 0 jobs, and more']],
  };

  test('loses no word within 80 columns', async () => {
    const shown = await renderTableWithin(cells, 80);
    expect(widest(shown)).toBeLessThanOrEqual(80);
    expect(shown.replace(/[│\s]+/g, ' ')).toContain('i-28d8045d43ce82f20 online,');
  });

  test('becomes a paragraph for each row if a word is longer than its column', async () => {
    const long = `arn:aws:iam::123456789012:role/${'x'.repeat(60)}END`;
    const rows = [
      ['tags', `${long}\nand another`, 'none'],
      ['token', 'present', 'absent'],
    ];
    expect((await renderTableWithin({ ...cells, rows }, 80)).split('\n')).toEqual([
      '  tags',
      `    pink: ${long}, and another`,
      '    purple: none',
      '  token',
      '    pink: present',
      '    purple: absent',
    ]);
  });

  test('breaks no word at 50 columns', async () => {
    const shown = await renderTableWithin(cells, 50);
    expect(shown).toContain('i-28d8045d43ce82f20 online, running, 0 jobs, and more');
  });
});
