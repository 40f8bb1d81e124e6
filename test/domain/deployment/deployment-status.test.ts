import { describe, expect, test } from '@jest/globals';
import {
  formatStatus,
  parseStatus,
  statusPattern,
} from '../../../src/domain/deployment/deployment-status.ts';
import type { Shard } from '../../../src/domain/shard.ts';

const pink = 'pink' as Shard;
const purple = 'purple' as Shard;
const pair = [pink, purple] as const;
const right = '{"active_shard":"purple","inactive_shard":"pink"}';

describe('deployment_status', () => {
  test.each([
    ['as hosted-runner writes it', right],
    ['with spaces', ' { "active_shard" : "purple" , "inactive_shard" : "pink" } '],
    ['on several lines', '{\n  "active_shard": "purple",\n  "inactive_shard": "pink"\n}\n'],
    ['in the other key order', '{"inactive_shard":"pink","active_shard":"purple"}'],
  ])('reads a value %s', (_, text) => {
    expect(parseStatus(text, pair)).toEqual({ kind: 'known', active: purple, inactive: pink });
    expect(new RegExp(statusPattern(pair)).test(text)).toBe(true);
  });

  test('counts as absent without a parameter, and as invalid with an empty one', () => {
    expect(parseStatus(undefined, pair)).toEqual({ kind: 'absent' });
    expect(parseStatus('', pair)).toEqual({ kind: 'invalid', reason: 'it is empty' });
  });

  test.each([
    ['   ', 'it is empty'],
    [`${right.slice(0, -1)},"active_shard":"purple"}`, 'it names a key twice'],
    ['purple', 'it is not JSON: "purple"'],
    ['{"active_shard":"purple"', 'it is not JSON: "{\\"active_shard\\":\\"purple\\""'],
    ['null', 'it is not an object: "null"'],
    ['["purple","pink"]', 'it is not an object: "[\\"purple\\",\\"pink\\"]"'],
    ['"purple"', 'it is not an object: "\\"purple\\""'],
    ['{}', 'active_shard is missing or not a text'],
    ['{"active_shard":"purple"}', 'inactive_shard is missing or not a text'],
    ['{"active_shard":1,"inactive_shard":"pink"}', 'active_shard is missing or not a text'],
    [
      '{"active_shard":"green","inactive_shard":"pink"}',
      'active_shard is the unknown shard "green"',
    ],
    [
      '{"active_shard":"pink","inactive_shard":"green"}',
      'inactive_shard is the unknown shard "green"',
    ],
    ['{"active_shard":"pink","inactive_shard":"pink"}', 'both shards are named "pink"'],
    [
      '{"active_shard":"Pink","inactive_shard":"purple"}',
      'active_shard is the unknown shard "Pink"',
    ],
    ['{"active_shard":"pink","inactive_shard":"purple","by":"me"}', 'it has the unknown key "by"'],
  ])('refuses the value %s: %s', (text, reason) => {
    expect(parseStatus(text, pair)).toEqual({ kind: 'invalid', reason });
    expect(new RegExp(statusPattern(pair)).test(text) && !reason.startsWith('both')).toBe(false);
  });

  test('quotes only the beginning of a long value', () => {
    const parsed = parseStatus('x'.repeat(5000), pair);
    expect(parsed).toEqual({ kind: 'invalid', reason: `it is not JSON: "${'x'.repeat(60)}…"` });
  });

  test('formats a value that it can read back', () => {
    expect(formatStatus(pair, purple)).toBe(right);
    expect(parseStatus(formatStatus(pair, pink), pair)).toEqual({
      kind: 'known',
      active: pink,
      inactive: purple,
    });
  });
});
