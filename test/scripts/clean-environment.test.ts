import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';
import { expect, test } from '@jest/globals';
import { noteStorages } from '../../scripts/jest/clean-environment.js';

test.each([
  ['a value', { AsyncLocalStorage }],
  [
    'a getter, as from Node 22 on',
    {
      get AsyncLocalStorage() {
        return AsyncLocalStorage;
      },
    },
  ],
])('a storage that a suite made is ended with it, and one from before is not (%s)', (_, hooks) => {
  const before = new hooks.AsyncLocalStorage<string>();
  const end = noteStorages(hooks);
  const during = new hooks.AsyncLocalStorage<string>();
  before.run('kept', () => {
    during.run('noted', () => {
      end();
      expect([before.getStore(), during.getStore()]).toEqual(['kept', undefined]);
    });
  });
  expect(hooks.AsyncLocalStorage).toBe(AsyncLocalStorage);
});

test('every suite runs in such an environment', () => {
  expect(types.isProxy(asyncHooks.AsyncLocalStorage)).toBe(true);
});
