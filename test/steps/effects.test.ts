import { describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import { ensure } from '../../src/stages/effects/effect-gate.ts';
import { countAndExplain } from '../../src/stages/steps/candidate/healthcheck.ts';
import { checkManagers } from '../../src/stages/steps/healthcheck/managers.ts';
import { startWatch } from '../../src/stages/steps/healthcheck/watch.ts';
import { purple, recordAt } from '../domain/samples.ts';
import { standAlone } from './standing.ts';

const built = recordAt({ phase: 'healthy' }, { purple: { registration: '2' as RegistrationId } });

describe('an effect', () => {
  /** Creates an effect that becomes visible at the given check. */
  function effect(seenFrom: number, act: () => Promise<unknown> = async () => undefined) {
    let checks = 0;
    const acts: number[] = [];
    return {
      acts,
      what: 'Paused runner 2',
      shard: purple,
      isDone: async () => checks++ >= seenFrom,
      act: () => {
        acts.push(checks);
        return act();
      },
    };
  }

  test('does not start once another process has written the record', async () => {
    const { context } = standAlone({}, built, () => Promise.reject(new Error('foreign')));
    const one = effect(1);
    await expect(ensure(context, one)).rejects.toThrow('foreign');
    expect(one.acts).toEqual([]);
  });

  test('gets checked until it is visible', async () => {
    const one = effect(4);
    await expect(ensure(standAlone({}, built).context, one)).resolves.toBe('done');
    expect(one.acts).toEqual([1]);
  });

  test('fails if it was accepted and never becomes visible', async () => {
    await expect(ensure(standAlone({}, built).context, effect(999))).rejects.toMatchObject({
      detail: 'the request was accepted, but its effect is not visible',
    });
  });

  test('gets checked briefly after a lost response and is sent again', async () => {
    const lost = new PortFailure({
      kind: 'unreachable',
      effect: 'unknown',
      source: 'GitLab',
      detail: 'reset',
    });
    const one = effect(5, () => (one.acts.length === 1 ? Promise.reject(lost) : Promise.resolve()));
    await ensure(standAlone({}, built).context, one);
    expect(one.acts).toEqual([1, 4]);
  });

  const refused = (kind: 'throttled' | 'read_only', againInMs: number) =>
    new PortFailure({
      kind,
      effect: 'none',
      source: 'GitLab PUT /runners/2',
      detail: 'no call is accepted now',
      againInMs,
    });

  test('passes its gate again before it is repeated after a refusal', async () => {
    const order: string[] = [];
    const alone = standAlone({}, built, async () => void order.push('gate'));
    const one = effect(1, async () => {
      order.push('act');
      if (one.acts.length < 3) throw refused('throttled', 50_000);
    });
    const { clock } = alone.context.ports;
    const since = clock.elapsed();
    await expect(ensure(alone.context, one)).resolves.toBe('done');
    expect(order).toEqual(['gate', 'act', 'gate', 'act', 'gate', 'act']);
    expect(Math.round((clock.elapsed() - since) / 1000)).toBe(100);
  });

  test('repeats after a refusal even if it takes minutes itself', async () => {
    const { context } = standAlone({}, built);
    const one = effect(1, async () => {
      await context.ports.clock.sleep(200_000);
      if (one.acts.length === 1) throw refused('throttled', 40_000);
    });
    await expect(ensure(context, one)).resolves.toBe('done');
  });

  test.each([
    ['throttled', 50_000, 3, 180_000],
    ['throttled', 180_000, 0, 180_000],
    ['read_only', 30_000, 19, 600_000],
  ] as const)(
    'fails in the end if it is never accepted: %s for %i ms each, repeated %i times',
    async (kind, againInMs, times, mostMs) => {
      const one = effect(1, () => Promise.reject(refused(kind, againInMs)));
      const { context } = standAlone({}, built);
      const since = context.ports.clock.elapsed();
      await expect(ensure(context, one)).rejects.toMatchObject({ kind });
      expect(one.acts).toHaveLength(times + 1);
      expect(context.ports.clock.elapsed() - since).toBeLessThan(mostMs);
    },
  );
});

test('a manager that never contacted GitLab does not count', async () => {
  const worker = { id: 9, systemId: 's', version: '18.5.0' };
  const registry = { listWorkers: async () => ({ kind: 'found', value: [worker] }) };
  const { context } = standAlone({ registry }, built);
  expect(await checkManagers(context, startWatch(context, purple))).toMatchObject({
    state: 'missing',
  });
});

test('an unhealthy verdict returns the deployment from healthy to applied', async () => {
  const { context, written } = standAlone({ instances: { list: async () => [] } }, built);
  await countAndExplain(context, purple, {
    result: {
      verdict: { kind: 'unhealthy', reasons: ['no manager'] },
      evidence: [],
      note: { at: '', workers: [] },
      explanation: [],
      diagnoses: [],
      within: '15m',
      checks: 3,
      hadCanary: false,
    },
  });
  expect(written.at(-1)?.deployment.phase).toBe('applied');
  expect(written.at(-1)?.shards['purple']?.unhealthyInARow).toBe(1);
});
