import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { replaceStorages } from '../../scripts/jest/clean-environment.js';

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
])('a storage of a suite ends with the suite, and an earlier one stays (%s)', (_, hooks) => {
  const before = new hooks.AsyncLocalStorage<string>();
  const end = replaceStorages(hooks);
  const first = new hooks.AsyncLocalStorage<string>();
  const during = new hooks.AsyncLocalStorage<string>();
  before.run('kept', () => {
    during.run('noted', () => {
      end();
      expect([before.getStore(), during.getStore()]).toEqual(['kept', undefined]);
    });
  });
  expect(hooks.AsyncLocalStorage).toBe(AsyncLocalStorage);
  expect(first).not.toBeInstanceOf(AsyncLocalStorage);
});

describe('the first storage of a suite', () => {
  const hooks = { AsyncLocalStorage };
  const end = replaceStorages(hooks);
  const first = new hooks.AsyncLocalStorage<string>();
  end();

  test('holds the value of the running code and its children until their end', async () => {
    const seen: (string | undefined)[] = [];
    const record = () => seen.push(first.getStore());
    await first.run('outer', async () => {
      record();
      await first.run('inner', async () => {
        await Promise.resolve();
        record();
      });
      record();
    });
    record();
    expect(seen).toEqual(['outer', 'inner', 'outer', undefined]);
  });

  test('holds the value in the context of a suite, whose promises are separate', async () => {
    const begin = runInNewContext('(look) => Promise.resolve().then(look)');
    expect(await first.run('outer', () => begin(() => first.getStore()))).toBe('outer');
    expect(first.getStore()).toBeUndefined();
  });

  test('returns to its earlier value if the code fails', async () => {
    const fails = () => {
      throw new Error('broken');
    };
    expect(() => first.run('outer', fails)).toThrow('broken');
    await expect(first.run('outer', async () => fails())).rejects.toThrow('broken');
    expect(first.getStore()).toBeUndefined();
  });
});

test('every suite runs in such an environment', () => {
  expect(types.isProxy(asyncHooks.AsyncLocalStorage)).toBe(true);
});
