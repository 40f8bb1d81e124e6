import { describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import type { Found, ReadAge, Registration } from '../../src/ports/registry.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { readShardRegistration } from '../../src/stages/observe/drain-observation.ts';
import { pink, recordAt } from '../domain/samples.ts';

const id = '48213' as RegistrationId;
const age = { mostMs: 5000 };

function found(paused: boolean, execution: Registration['execution']): Found<Registration> {
  const value = { id, description: 'pink-linux', note: '', tags: ['linux'], runUntagged: false };
  return { kind: 'found', value: { ...value, contacted: true, paused, execution } };
}

/** Reads a runner from a registry that has an older and a current state. */
async function read(kept: Found<Registration>, now: Found<Registration>, given?: ReadAge) {
  const reads: string[] = [];
  const registry = {
    async find(_: RegistrationId, its?: ReadAge) {
      reads.push(its === undefined ? 'now' : 'kept');
      return its === undefined ? now : kept;
    },
  };
  const journal = {
    current: () => recordAt({ phase: 'draining' }, { [pink]: { registration: id } }),
  };
  const context = { ports: { registry }, journal } as unknown as StageContext;
  return { seen: await readShardRegistration(context, pink, given), reads };
}

const busy = { kind: 'seen', paused: true, execution: 'active' };

describe('a check of the drained runner with a kept response', () => {
  test('confirms that the runner is still paused', async () => {
    const kept = await read(found(true, 'active'), found(false, 'idle'), age);
    expect(kept).toEqual({ seen: busy, reads: ['kept'] });
  });

  test.each([
    ['unpaused', found(false, 'active')],
    ['absent', { kind: 'absent' } as const],
  ])('does not find the runner %s without a read of now', async (_, kept) => {
    expect(await read(kept, found(true, 'active'), age)).toEqual({
      seen: busy,
      reads: ['kept', 'now'],
    });
  });

  test('uses no kept response without an age', async () => {
    expect(await read(found(true, 'active'), { kind: 'absent' })).toEqual({
      seen: { kind: 'gone' },
      reads: ['now'],
    });
  });
});
