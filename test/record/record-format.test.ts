import { describe, expect, test } from '@jest/globals';
import { type DeploymentRecord, untouchedShard } from '../../src/domain/deployment/record.ts';
import { formatRecord, parseRecord } from '../../src/stages/record/record-format.ts';
import { recordAt } from '../domain/samples.ts';

const full: DeploymentRecord = recordAt(
  { pipelineUrl: 'https://gitlab.example.com/p/-/pipelines/200', phase: 'healthy' },
  {
    pink: { productionTag: true, tokenWritten: true, contacted: true },
    purple: {
      tokenWritten: true,
      highestWorkerBeforeApply: 0,
      canaryAtApply: { id: '900', started: false },
      unhealthyInARow: 1,
      lastApply: { at: '2026-11-02T08:10:00.000Z', added: 13, changed: 0 },
      evidence: { at: '2026-11-02T08:15:00.000Z', workers: [702], canary: '900' },
    },
  },
);

describe('the record', () => {
  test.each([1, 20, 60])('fits %i finished deployments into 4 KB, the newest first', (count) => {
    const history = Array.from({ length: count }, (_, index) => ({
      id: `${'9'.repeat(12)}-${index}`,
      kind: 'deploy' as const,
      candidate: 'purple',
      finishedAt: '2026-11-02T08:15:00.000Z',
    }));
    const text = formatRecord({ ...full, history }, 'w1');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    const parsed = parseRecord(text);
    expect(parsed.kind === 'record' && parsed.record.history).toEqual(history.slice(0, 20));
  });

  test('drops the oldest lines of its history if names are long, counted in bytes', () => {
    const history = Array.from({ length: 20 }, (_, index) => ({
      id: `${'ö'.repeat(100)}/${index}`,
      kind: 'deploy' as const,
      candidate: 'purple',
      finishedAt: '2026-11-02T08:15:00.000Z',
    }));
    const text = formatRecord({ ...full, history }, 'w1');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    expect(text).toContain(`/0 deploy`);
    expect(text).not.toContain(`/19 deploy`);
  });

  test('contains no double braces, which Parameter Store refuses', () => {
    for (const by of ['{{ada}}', '{{{ada}}}', 'a{{b', '\\{{']) {
      const record = { ...full, deployment: { ...full.deployment, by } };
      const text = formatRecord(record, 'w1');
      expect(text).not.toContain('{{');
      expect(parseRecord(text)).toEqual({ kind: 'record', record, writeId: 'w1' });
    }
  });

  test('stores the earlier settings of a runner in a format that stops older programs', () => {
    const routingBefore = { tags: ['arm'], runUntagged: true, paused: false };
    const entry = { ...untouchedShard, routingBefore };
    const record = { ...full, shards: { ...full.shards, purple: entry } };
    const text = formatRecord(record, 'w1');
    expect(JSON.parse(text)).toMatchObject({
      schema: 2,
      shards: { purple: { routing_before: { tags: ['arm'], run_untagged: true, paused: false } } },
    });
    expect(parseRecord(text)).toEqual({ kind: 'record', record, writeId: 'w1' });
    expect(JSON.parse(formatRecord(full, 'w1')).schema).toBe(1);
  });

  test('counts as newer, not as invalid, if a newer program wrote it', () => {
    expect(parseRecord('{"schema":99,"anything":1}')).toEqual({ kind: 'newer', schema: 99 });
  });

  const stored = () => JSON.parse(formatRecord(full, 'w1'));
  test.each<[string, string, string]>([
    ['no JSON', 'promoted', 'it is not JSON'],
    ['no object', 'null', 'it: Invalid input: expected object, received null'],
    ['an unknown key', JSON.stringify({ ...stored(), more: 1 }), 'it: Unrecognized key: "more"'],
    [
      'an unknown phase',
      JSON.stringify({ ...stored(), deployment: { ...stored().deployment, phase: 'almost' } }),
      'deployment.phase: Invalid option',
    ],
    [
      'a garbled time',
      JSON.stringify({
        ...stored(),
        deployment: { ...stored().deployment, pipeline_created_at: 'yesterday' },
      }),
      'deployment.pipeline_created_at: Invalid ISO datetime',
    ],
  ])('counts as invalid with %s, and the reason names the place', (_, text, reason) => {
    const parsed = parseRecord(text);
    expect(parsed).toMatchObject({ kind: 'invalid' });
    expect(parsed.kind === 'invalid' && parsed.reason.startsWith(reason)).toBe(true);
  });
});
