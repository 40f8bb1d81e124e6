import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunnerName, Shard, StackShard } from '../../src/domain/shard.ts';
import { isPortFailure } from '../../src/ports/failure.ts';
import type { Infrastructure, InfrastructureEvent } from '../../src/ports/infrastructure.ts';

/** Driver with controls of its world. */
export interface InfrastructureWorld {
  readonly infrastructure: Infrastructure;
  /** Makes the next apply or destroy fail in the middle. */
  failNext(): void | Promise<void>;
  close(): void | Promise<void>;
}

const pink: StackShard = { shard: 'pink' as Shard, runnerName: 'linux' as RunnerName };
const purple: StackShard = { ...pink, shard: 'purple' as Shard };

/** Tests the contract of every implementation of the Infrastructure port. */
export function infrastructureContract(
  title: string,
  make: () => InfrastructureWorld | Promise<InfrastructureWorld>,
) {
  describe(`Infrastructure, ${title}`, () => {
    let world: InfrastructureWorld;
    let infrastructure: Infrastructure;
    beforeEach(async () => {
      world = await make();
      infrastructure = world.infrastructure;
    });
    afterEach(() => world.close());

    async function apply(shard = pink): Promise<InfrastructureEvent[]> {
      return collect(infrastructure.apply(shard, await infrastructure.plan(shard)));
    }

    test('an apply reports progress and ends in one result', async () => {
      const events = await apply();
      const kinds = events.map(({ kind }) => kind);
      expect(kinds.slice(0, -1)).toContain('progress');
      expect(kinds.indexOf('done')).toBe(kinds.length - 1);
    });

    test('a second apply changes nothing and reports it', async () => {
      await apply();
      const done = (await apply()).at(-1);
      expect(done).toMatchObject({
        kind: 'done',
        counts: { added: 0, changed: 0, destroyed: 0 },
      });
    });

    test('an apply touches only its shard', async () => {
      await apply(pink);
      await apply(purple);
      await collect(infrastructure.destroy(pink));
      expect(await infrastructure.exists(pink)).toBe('absent');
      expect(await infrastructure.exists(purple)).toBe('present');
    });

    test('existence is known before, between and after the applies', async () => {
      expect(await infrastructure.exists(pink)).toBe('absent');
      await apply();
      expect(await infrastructure.exists(pink)).toBe('present');
      await collect(infrastructure.destroy(pink));
      expect(await infrastructure.exists(pink)).toBe('absent');
    });

    test('destroying a missing shard causes no error', async () => {
      expect((await collect(infrastructure.destroy(pink))).at(-1)).toMatchObject({ kind: 'done' });
    });

    test('a probe reports nothing as missing, and leaves nothing behind', async () => {
      expect(
        (await infrastructure.probe(pink.runnerName)).map(({ outcome }) => outcome),
      ).not.toContain('missing');
      expect(await infrastructure.exists(pink)).toBe('absent');
      expect(await infrastructure.exists(purple)).toBe('absent');
    });

    test('a failed apply has an unknown effect, and the next one completes it', async () => {
      await world.failNext();
      const failure = await apply().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(isPortFailure(failure)).toBe(true);
      expect(failure).toMatchObject({ effect: 'unknown' });
      expect((await apply()).at(-1)).toMatchObject({ kind: 'done' });
      expect(await infrastructure.exists(pink)).toBe('present');
    });
  });
}

export async function collect(
  events: AsyncIterable<InfrastructureEvent>,
): Promise<InfrastructureEvent[]> {
  const all: InfrastructureEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
