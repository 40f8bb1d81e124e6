import { describe, expect, test } from '@jest/globals';
import type { LockEntry } from '../../src/domain/deployment/lock/lock-log.ts';
import type { DeploymentRecord } from '../../src/domain/deployment/record.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { formatEntry, parseVersion } from '../../src/stages/record/lock/lock-entry.ts';
import { formatRecord, parseRecord } from '../../src/stages/record/record-format.ts';
import { recordAt } from '../domain/samples.ts';

const at = '2026-11-02T08:15:00.000Z';
const limit = { ms: 600_000, from: '--set', by: 'kim', job: '77' };

/** Everything that a record can hold. */
const full: DeploymentRecord = {
  ...recordAt(
    {
      pipelineUrl: 'https://gitlab.example.com/p/-/pipelines/200',
      statusVersion: 7,
      closedAt: at,
      reopened: { times: 2, at, why: 'purple serves nobody' },
      tally: {
        twoShardsSince: at,
        twoShardsMs: 1000,
        drain: {
          since: at,
          seen: ['900'],
          seenBeyond: 1,
          hidden: true,
          settled: true,
          broken: [{ id: '900', why: 'killed', url: 'https://gitlab.example.com/j/900' }],
          brokenBeyond: 1,
          longestWaitMs: 41_000,
          expectedAt: at,
          timeout: limit,
          forceAfter: limit,
        },
      },
    },
    {
      purple: {
        registration: '48214' as RegistrationId,
        tokenWritten: true,
        contacted: true,
        highestWorkerBeforeApply: 0,
        canaryAtApply: { id: '900', started: false },
        unhealthyInARow: 1,
        lastApply: { at, added: 13, changed: 0, destroyed: 1 },
        productionTag: true,
        evidence: { at, workers: [702], canary: '900' },
        removal: { began: at, ended: at },
      },
      pink: { evidence: { at, workers: [] }, removal: { began: at } },
    },
  ),
  history: [
    {
      id: '1-100',
      kind: 'rollback',
      candidate: 'pink',
      finishedAt: at,
      cost: 'jobs=3 broken=0',
    },
    { id: '1-90', kind: 'activate', candidate: 'pink', finishedAt: at },
  ],
  writesRefusedAt: at,
};

const { retiring: _, ...first } = recordAt().deployment;
const least: DeploymentRecord = { deployment: first, shards: {}, history: [] };

describe('a record', () => {
  const readBack = (record: DeploymentRecord) => parseRecord(formatRecord(record, 'w1'));

  test.each([
    ['everything that it can', full],
    ['nothing but what it must', least],
  ])('holds what was written, and no more, where it holds %s', (_name, record) => {
    expect(readBack(record)).toStrictEqual({ kind: 'record', record, writeId: 'w1' });
  });

  test.each(['', '1-100', '1-100 deploy', '1-100 deploy pink', `1-100 moved pink ${at}`])(
    'leaves out a line of its history that nobody can read: %j',
    (line) => {
      const stored = { ...JSON.parse(formatRecord(least, 'w1')), history: [line] };
      const parsed = parseRecord(JSON.stringify(stored));
      expect(parsed.kind === 'record' && parsed.record.history).toEqual([]);
    },
  );

  test.each([
    ['null', 'it: '],
    ['[]', 'it: '],
    ['{"schema":"2"}', 'schema: '],
    [JSON.stringify({ ...JSON.parse(formatRecord(least, 'w')), shards: 7 }), 'shards: '],
  ])('that cannot be read names what is odd: %s', (text, field) => {
    const parsed = parseRecord(text);
    expect(parsed.kind === 'invalid' && parsed.reason).toMatch(new RegExp(`^${field}`));
  });
});

describe('an entry of the lock', () => {
  const owner = { deployment: '1-200', job: '77', since: at, process: 'host/1', by: 'kim' };
  const seen = { version: 3, last: 'n2', record: 5 };
  const holder = { nonce: 'n1', owner } as never;
  const stranger = { nonce: 'n1', owner: undefined };

  test.each<[string, LockEntry]>([
    [
      'an acquire of a log that is begun',
      {
        kind: 'acquire',
        log: 'l',
        nonce: 'n3',
        owner,
        seen: { ...seen, owner: undefined },
      } as never,
    ],
    [
      'a release',
      { kind: 'release', log: 'l', nonce: 'n3', from: 'n1', seen: { ...seen, owner: holder } },
    ],
    [
      'a takeover',
      {
        kind: 'takeover',
        log: 'l',
        nonce: 'n3',
        from: 'n1',
        owner,
        seen: { ...seen, owner: holder },
      } as never,
    ],
    [
      'a takeover from somebody whom nobody knows',
      {
        kind: 'takeover',
        log: 'l',
        nonce: 'n3',
        from: 'n1',
        owner,
        seen: { ...seen, owner: stranger },
      } as never,
    ],
  ])('is read as it was written: %s', (_name, entry) => {
    const value = formatEntry(entry);
    expect(parseVersion({ version: 4, value, modifiedAt: at })).toEqual({ version: 4, entry });
  });

  test('of an old program is an acquire, and one that is neither is unknown', () => {
    const { by, ...old } = owner;
    const read = (value: object) =>
      parseVersion({ version: 1, value: JSON.stringify(value), modifiedAt: at }).entry;
    expect(read({ ...old, nonce: 'n' })).toEqual({ kind: 'acquire', nonce: 'n', owner: old });
    for (const odd of [{ ...old }, {}, { entry: 'lent', nonce: 'n', owner, by }])
      expect(read(odd)).toBeUndefined();
  });
});
