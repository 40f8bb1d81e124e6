import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isPortFailure } from '../../src/ports/failure.ts';
import type { StateStore } from '../../src/ports/state-store.ts';

/** Store with controls of its world. */
export interface ParametersWorld {
  readonly store: StateStore;
  /** Lets time pass for the store. */
  pass(durationMs: number): void | Promise<void>;
  /** Makes the next write take effect without a response. */
  loseNextAnswer(): void;
  close(): void | Promise<void>;
}

const name = '/gitlab/dedicated/runner/linux/deployment_status';

/** Tests the contract of every implementation of the StateStore port. */
export function parametersContract(
  title: string,
  make: () => ParametersWorld | Promise<ParametersWorld>,
) {
  describe(`StateStore, ${title}`, () => {
    let world: ParametersWorld;
    let store: StateStore;
    beforeEach(async () => {
      world = await make();
      store = world.store;
    });
    afterEach(() => world.close());

    test('finds nothing before a creation', async () => {
      expect(await store.find(name)).toBeUndefined();
      expect(await store.findVersion(name, 1)).toBeUndefined();
    });

    test('creates with version 1 and finds what was created', async () => {
      expect(await store.create({ name, value: 'one' })).toEqual({ kind: 'created', version: 1 });
      const found = await store.find(name);
      expect(found).toMatchObject({ value: 'one', version: 1 });
      expect(new Date(found?.modifiedAt ?? '').toISOString()).toBe(found?.modifiedAt);
    });

    test('reports an existing name and keeps its value', async () => {
      await store.create({ name, value: 'one' });
      expect(await store.create({ name, value: 'two' })).toEqual({ kind: 'taken' });
      expect(await store.find(name)).toMatchObject({ value: 'one', version: 1 });
    });

    test('counts versions up with every overwrite, even with the same value', async () => {
      await store.create({ name, value: 'one' });
      expect(await store.overwrite({ name, value: 'two' })).toEqual({ version: 2 });
      expect(await store.overwrite({ name, value: 'two' })).toEqual({ version: 3 });
      expect(await store.find(name)).toMatchObject({ value: 'two', version: 3 });
    });

    test('returns the value of an earlier version', async () => {
      await store.create({ name, value: 'one' });
      await store.overwrite({ name, value: 'two' });
      expect(await store.findVersion(name, 1)).toMatchObject({ value: 'one', version: 1 });
      expect(await store.findVersion(name, 2)).toMatchObject({ value: 'two', version: 2 });
      expect(await store.findVersion(name, 3)).toBeUndefined();
    });

    test('keeps secrets readable through creation and overwriting', async () => {
      await store.create({ name, value: 'first secret', secret: true });
      expect(await store.find(name)).toMatchObject({ value: 'first secret' });
      await store.overwrite({ name, value: 'second secret', secret: true });
      expect(await store.find(name)).toMatchObject({ value: 'second secret', version: 2 });
    });

    test('refuses a value against the pattern that it was created with', async () => {
      await store.create({ name, value: 'pink', allowedPattern: '^(?:pink|purple)$' });
      await expect(store.overwrite({ name, value: 'blue' })).rejects.toMatchObject({
        kind: 'refused',
        effect: 'none',
      });
      expect(await store.find(name)).toMatchObject({ value: 'pink', version: 1 });
      expect(await store.overwrite({ name, value: 'purple' })).toEqual({ version: 2 });
    });

    test('refuses more than 4 KB without an effect', async () => {
      await expect(store.create({ name, value: 'x'.repeat(4097) })).rejects.toMatchObject({
        kind: 'refused',
        effect: 'none',
      });
      expect(await store.find(name)).toBeUndefined();
    });

    test('removes once, and a second removal finds nothing', async () => {
      await store.create({ name, value: 'one' });
      expect(await store.remove(name)).toBe('removed');
      expect(await store.remove(name)).toBe('absent');
      expect(await store.find(name)).toBeUndefined();
    });

    test('a removed name stays in use for a while and then starts again at version 1', async () => {
      await store.create({ name, value: 'one' });
      await store.remove(name);
      expect(await store.create({ name, value: 'two' })).toEqual({ kind: 'taken' });
      await world.pass(31_000);
      expect(await store.create({ name, value: 'two' })).toEqual({ kind: 'created', version: 1 });
    });

    describe('a write with a lost response', () => {
      async function loss(write: () => Promise<unknown>): Promise<unknown> {
        world.loseNextAnswer();
        const error = await write().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(isPortFailure(error)).toBe(true);
        return error;
      }

      test('rejects a creation with effect unknown and does not repeat it', async () => {
        expect(await loss(() => store.create({ name, value: 'one' }))).toMatchObject({
          effect: 'unknown',
        });
        expect(await store.find(name)).toMatchObject({ value: 'one', version: 1 });
      });

      test('rejects an overwrite with effect unknown and writes one version', async () => {
        await store.create({ name, value: 'one' });
        expect(await loss(() => store.overwrite({ name, value: 'two' }))).toMatchObject({
          effect: 'unknown',
        });
        expect(await store.find(name)).toMatchObject({ value: 'two', version: 2 });
      });

      test('rejects a removal with effect unknown', async () => {
        await store.create({ name, value: 'one' });
        expect(await loss(() => store.remove(name))).toMatchObject({ effect: 'unknown' });
        expect(await store.find(name)).toBeUndefined();
      });
    });
  });
}
