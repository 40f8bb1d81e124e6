import { expect, test } from '@jest/globals';
import {
  idsOfStates,
  judgeState,
  judgeStates,
} from '../../src/adapters/terraform/tfstate/terraform-state.ts';

const state = (...resources: readonly unknown[]) => JSON.stringify({ version: 4, resources });
const instance = (id: string) => ({ attributes: { id, arn: `arn:${id}`, secret: 'hunter2' } });
const built = state({ mode: 'managed', instances: [instance('i-1')] });
const emptied = state({ mode: 'managed', instances: [] });

test.each<[string, string, ReturnType<typeof judgeState>]>([
  ['it never existed', '', 'absent'],
  ['it is empty', emptied, 'absent'],
  ['it has only data sources', state({ mode: 'data', instances: [instance('ami-1')] }), 'absent'],
  ['it has a resource', built, 'present'],
  ['it is not JSON', '<html>Sign in</html>', 'unknown'],
  ['it is a string', '"state"', 'unknown'],
  ['it has another version', JSON.stringify({ version: 5, resources: [] }), 'unknown'],
  ['it has no resources', JSON.stringify({ version: 4 }), 'unknown'],
  ['its resources are not a list', JSON.stringify({ version: 4, resources: {} }), 'unknown'],
  ['a resource has no instances field', state({ mode: 'managed' }), 'unknown'],
  ['the instances of a resource are not a list', state({ instances: 'i-1' }), 'unknown'],
])('a state is present, absent or unknown: %s', (_, text, word) => {
  expect(judgeState(text)).toBe(word);
});

test.each([
  [[built, 'cut off'], 'present'],
  [[emptied, 'cut off'], 'unknown'],
  [['', emptied], 'absent'],
])(
  'several states show a shard as present by one, and as absent only by all: %j',
  (texts, word) => {
    expect(judgeStates(texts)).toBe(word);
  },
);

test('a state returns its ids and no secret, and an unreadable state returns no ids', () => {
  expect(idsOfStates([built, ''])).toEqual(['i-1', 'arn:i-1']);
  expect(idsOfStates([emptied])).toEqual([]);
  expect(idsOfStates([built, 'cut off'])).toBe('unknown');
});
