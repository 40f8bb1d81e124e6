import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { DeploymentRecord } from '../../src/domain/deployment/record.ts';
import { formatRecord, parseRecord } from '../../src/stages/record/record-format.ts';
import {
  newestRecordSchema,
  recordSchema,
  sinceSchema,
} from '../../src/stages/record/record-schema.ts';
import { recordAt } from '../domain/samples.ts';
import { fullRecord } from './full-record.ts';
import { knownKeys } from './known-keys.ts';

/** Lists every key and every enumeration value of the format. */
function pathsOf(node: z.core.JSONSchema._JSONSchema, path = ''): string[] {
  if (typeof node === 'boolean') return [path];
  const { properties = {}, additionalProperties, items, enum: values = [] } = node;
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  const inner = Object.entries(properties).flatMap(([key, one]) => pathsOf(one, at(key)));
  const each = [additionalProperties, items].flatMap((one) =>
    typeof one === 'object' && !Array.isArray(one) ? pathsOf(one, at('*')) : [],
  );
  const valuePaths = values.map((value) => `${path}=${String(value)}`);
  return [...(path === '' ? [] : [path]), ...inner, ...each, ...valuePaths];
}

function versionOf(path: string): number {
  const isBelow = (since: string) =>
    path === since || path.startsWith(`${since}.`) || path.startsWith(`${since}=`);
  const versions = Object.entries(sinceSchema).flatMap(([since, version]) =>
    isBelow(since) ? [version] : [],
  );
  return Math.max(1, ...versions);
}

const format = pathsOf(z.toJSONSchema(recordSchema, { io: 'input' }));
const storedSchema = (record: DeploymentRecord) => JSON.parse(formatRecord(record, 'w1')).schema;

describe('the schema version of a record', () => {
  test.each(Object.keys(knownKeys).map(Number))(
    'version %d has its own keys and no new one: a new key needs a new version',
    (version) => {
      const found = format.filter((path) => versionOf(path) === version);
      expect(found.toSorted()).toEqual([...(knownKeys[version] ?? [])].toSorted());
    },
  );

  test('covers each version up to the newest and each key of the table', () => {
    expect(Object.keys(knownKeys).map(Number)).toEqual(
      Array.from({ length: newestRecordSchema }, (_, index) => index + 1),
    );
    expect(new Set(Object.values(sinceSchema)).size).toBe(newestRecordSchema - 1);
    expect(Object.keys(sinceSchema).filter((path) => !format.includes(path))).toEqual([]);
  });

  const at = '2026-11-02T08:15:00.000Z';
  const intake = { state: 'paused', by: 'operator', since: at } as const;
  const applied = (more: object) => recordAt({}, { purple: { lastApply: { at, ...more } } });
  const broken = (why: 'killed' | 'registry_only') =>
    recordAt({
      tally: {
        twoShardsMs: 0,
        drain: {
          since: at,
          seen: [],
          seenBeyond: 0,
          hidden: false,
          settled: false,
          broken: [{ id: '900', why }],
          brokenBeyond: 0,
        },
      },
    });

  test.each<[string, DeploymentRecord, number]>([
    ['no newer key', applied({ added: 1 }), 1],
    ['a job that was killed', broken('killed'), 1],
    ['a drain that is stopping', recordAt({ stoppingAt: at }), 2],
    ['an approval that it waits for', recordAt({ awaitsApproval: true }), 3],
    ['a paused shard', recordAt({}, { pink: { intake } }), 4],
    ['the digest of what an apply changes', applied({ updates: '00112233' }), 3],
    ['the addresses that an apply repeated', applied({ repeated: 'aws_instance.manager' }), 3],
    ['a job that is lost according to GitLab only', broken('registry_only'), 3],
    ['everything that it can hold', fullRecord, 4],
  ])('equals the oldest version that supports a record with %s', (_, record, schema) => {
    const text = formatRecord(record, 'w1');
    expect(storedSchema(record)).toBe(schema);
    expect(parseRecord(text)).toEqual({ kind: 'record', record, writeId: 'w1' });
  });

  test.each(['awaits_approval', 'stopping_at'])(
    'does not prevent the read of %s in an older record',
    (key) => {
      const value = key === 'awaits_approval' ? true : at;
      const stored = JSON.parse(formatRecord(recordAt(), 'w1'));
      const older = { ...stored, deployment: { ...stored.deployment, [key]: value } };
      expect(parseRecord(JSON.stringify(older))).toMatchObject({ kind: 'record' });
    },
  );
});
