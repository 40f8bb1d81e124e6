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
  ['there was never one', '', 'absent'],
  ['nothing is left in it', emptied, 'absent'],
  ['it only reads', state({ mode: 'data', instances: [instance('ami-1')] }), 'absent'],
  ['something is in it', built, 'present'],
  ['it is no JSON', '<html>Sign in</html>', 'unknown'],
  ['it is a text', '"state"', 'unknown'],
  ['it is of another version', JSON.stringify({ version: 5, resources: [] }), 'unknown'],
  ['it has no resources', JSON.stringify({ version: 4 }), 'unknown'],
  ['its resources are no list', JSON.stringify({ version: 4, resources: {} }), 'unknown'],
  ['a resource does not say how many it is', state({ mode: 'managed' }), 'unknown'],
  ['a resource has instances that are no list', state({ instances: 'i-1' }), 'unknown'],
])('a state of which %s', (_, text, word) => {
  expect(judgeState(text)).toBe(word);
});

test.each([
  [[built, 'cut off'], 'present'],
  [[emptied, 'cut off'], 'unknown'],
  [['', emptied], 'absent'],
])('of several states a shard is present by one and absent by all: %j', (texts, word) => {
  expect(judgeStates(texts)).toBe(word);
});

test('a state tells its ids and no secret, and one that cannot be read tells nothing at all', () => {
  expect(idsOfStates([built, ''])).toEqual(['i-1', 'arn:i-1']);
  expect(idsOfStates([emptied])).toEqual([]);
  expect(idsOfStates([built, 'cut off'])).toBe('unknown');
});
