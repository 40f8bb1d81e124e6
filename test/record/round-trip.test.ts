import { describe, expect, test } from '@jest/globals';
import type { LockEntry } from '../../src/domain/deployment/lock/lock-log.ts';
import type { DeploymentRecord } from '../../src/domain/deployment/record.ts';
import { formatLockEntry, parseVersion } from '../../src/stages/record/lock/lock-entry.ts';
import { formatRecord, parseRecord } from '../../src/stages/record/record-format.ts';
import { recordAt } from '../domain/samples.ts';
import { fullRecord } from './full-record.ts';

const at = '2026-11-02T08:15:00.000Z';

const { retiring: _, ...first } = recordAt().deployment;
const least: DeploymentRecord = { deployment: first, shards: {}, history: [] };

describe('a record', () => {
  const readBack = (record: DeploymentRecord) => parseRecord(formatRecord(record, 'w1'));

  test.each([
    ['every field', fullRecord],
    ['required fields alone', least],
  ])('contains exactly what was written, with %s', (_name, record) => {
    expect(readBack(record)).toStrictEqual({ kind: 'record', record, writeId: 'w1' });
  });

  test.each(['', '1-100', '1-100 deploy', '1-100 deploy pink', `1-100 moved pink ${at}`])(
    'drops an unreadable line of its history: %j',
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
  ])('names the invalid part if it cannot be read: %s', (text, field) => {
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
      'a takeover from an unknown owner',
      {
        kind: 'takeover',
        log: 'l',
        nonce: 'n3',
        from: 'n1',
        owner,
        seen: { ...seen, owner: stranger },
      } as never,
    ],
  ])('reads back as it was written: %s', (_name, entry) => {
    const value = formatLockEntry(entry);
    expect(parseVersion({ version: 4, value, modifiedAt: at })).toEqual({ version: 4, entry });
  });

  test('counts as an acquire if an old program wrote it, and as unknown if it is neither', () => {
    const { by, ...old } = owner;
    const read = (value: object) =>
      parseVersion({ version: 1, value: JSON.stringify(value), modifiedAt: at }).entry;
    expect(read({ ...old, nonce: 'n' })).toEqual({ kind: 'acquire', nonce: 'n', owner: old });
    for (const odd of [{ ...old }, {}, { entry: 'lent', nonce: 'n', owner, by }])
      expect(read(odd)).toBeUndefined();
  });
});
