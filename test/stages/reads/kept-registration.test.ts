import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import type { Found, ReadAge, Registration } from '../../../src/ports/registry.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { watchService } from '../../../src/stages/observe/shard/service-watch.ts';
import { purple, recordAt } from '../../domain/samples.ts';
import { stackSettings } from '../../fakes/builders.ts';

const id = '48213' as RegistrationId;
const open: Found<Registration> = {
  kind: 'found',
  value: {
    id,
    description: 'purple-linux',
    note: '',
    paused: false,
    tags: ['linux'],
    runUntagged: false,
    contacted: true,
    execution: 'active',
  },
};
const paused: Found<Registration> = { kind: 'found', value: { ...open.value, paused: true } };
const unrouted: Found<Registration> = { kind: 'found', value: { ...open.value, tags: ['canary'] } };

/** Reads a runner from a registry that has an older and a current state. */
async function check(kept: Found<Registration>, now: Found<Registration>, age?: ReadAge) {
  const reads: string[] = [];
  const registry = {
    traits: { registrationsPer: 'shard', words: gitlabTerms },
    async find(_: RegistrationId, given?: ReadAge) {
      reads.push(given === undefined ? 'now' : 'kept');
      return given === undefined ? now : kept;
    },
    findByShard: async () => (now.kind === 'found' ? [now.value] : []),
    listWorkers: async () => ({ kind: 'found', value: [] }),
    listNewestJobs: async () => ({
      kind: 'found',
      value: { jobs: [], finished: [], isWhole: true },
    }),
    listBegunJobs: async () => ({ kind: 'found', value: [] }),
  };
  const context = {
    settings: { ...stackSettings(), host: { ...stackSettings().host, access: 'none' } },
    journal: {
      version: () => 1,
      current: () => recordAt({ phase: 'promoted' }, { [purple]: { registration: id } }),
    },
    log: { event: () => undefined },
    ports: {
      registry,
      clock: { now: () => Date.parse('2026-11-02T08:00:00Z'), elapsed: () => 0 },
      instances: { list: async () => [{ id: 'i-0abc', state: 'running' }] },
    },
  } as unknown as StageContext;
  const { kind } = await watchService(context, purple).check(undefined, age);
  return { kind, reads: reads.slice(0, 2) };
}

describe('a check of the service with a kept response', () => {
  const age = { mostMs: 5000 };

  test.each([
    ['paused', paused],
    ['without production tags', unrouted],
    ['absent', { kind: 'absent' } as const],
  ])('does not rely on a kept response that was %s', async (_, kept) => {
    expect(await check(kept, open, age)).toEqual({ kind: 'unknown', reads: ['kept', 'now'] });
  });

  test.each([
    ['paused', paused],
    ['without production tags', unrouted],
  ])('finds that the shard accepts no jobs if it is %s now as well', async (_, both) => {
    expect(await check(both, both, age)).toEqual({ kind: 'closed', reads: ['kept', 'now'] });
  });

  test('does not read the runner a second time if it accepts jobs', async () => {
    expect((await check(open, paused, age)).reads[0]).toBe('kept');
    expect((await check(open, paused, age)).kind).toBe('unknown');
  });

  test('uses no kept response without an age', async () => {
    expect(await check(open, paused)).toEqual({ kind: 'closed', reads: ['now'] });
  });
});
