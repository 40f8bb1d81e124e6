import { expect, test } from '@jest/globals';
import { bakingStack, pink, worldWithActive } from '../builders.ts';
import { putParameter } from '../ports/parameters-fake.ts';
import type { HistoryEntry } from '../world/history.ts';
import { parametersOf } from '../world/shards.ts';
import { judgeBake } from './bake-invariant.ts';
import type { Actor } from './invariants.ts';

const stack = bakingStack();
const names = parametersOf(stack);

function listViolations(record: object, entry: object): string[] {
  const world = worldWithActive(pink, { stacks: [stack] });
  putParameter(world, { name: names.record, value: JSON.stringify(record) });
  const actor = { stack } as Actor;
  return judgeBake({ world, actor, entry: entry as HistoryEntry });
}

const written = (before: object, after: object) => ({
  kind: 'parameter_written',
  name: names.record,
  before: JSON.stringify(before),
  value: JSON.stringify(after),
});
const goes = { deployment: { kind: 'deploy', id: '1-200' }, history: [] };
const back = { deployment: { kind: 'rollback', takes_back: { id: '1-200' } } };

test('S19 allows one automatic rollback', () => {
  expect(listViolations(goes, written(goes, back))).toEqual([]);
});

test('S19: a deployment is rolled back twice', () => {
  const again = { ...goes, history: ['1-200 deploy purple 2026-11-02 taken_back jobs=1'] };
  expect(listViolations(again, written(again, back))).toEqual([
    'S19: deployment 1-200 was taken back once more',
  ]);
});

test('S19: a rollback is rolled back automatically', () => {
  const rollback = { deployment: { kind: 'rollback', id: '1-200' } };
  expect(listViolations(rollback, written(rollback, back))).toHaveLength(1);
});

test('S19: a bake ends while the old shard drains', () => {
  const at = (phase: string) => ({ deployment: { kind: 'deploy', id: '1-200', phase } });
  const ending = (phase: string) => listViolations(at(phase), written(at(phase), at('baked')));
  expect(ending('drained')).toEqual([]);
  expect(ending('draining')).toEqual([
    'S19: the bake of 1-200 was called over while the old shard was draining',
  ]);
});

test('S19: the status returns to a shard without evidence', () => {
  const record = { deployment: { candidate: 'pink', takes_back: { id: '1-200' } }, shards: {} };
  const entry = { kind: 'parameter_written', name: names.status, value: '' };
  expect(listViolations(record, entry)).toEqual([
    'S19: pink is not proven, and 1-200 was taken back to it',
  ]);
});

test('S7: the retiring shard is removed while the bake runs', () => {
  const record = { deployment: { retiring: 'pink', bake: { since: '' } } };
  const quit = { kind: 'process_quit', name: 'pink-linux_runner-manager' };
  expect(listViolations(record, quit)).toEqual([
    'S7: something of pink was taken away before its bake had ended',
  ]);
  const ended = { deployment: { retiring: 'pink', bake: { since: '', ended: {} } } };
  expect(listViolations(ended, quit)).toEqual([]);
});
