import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunnerHostWorld } from './runner-host.contract.ts';
import { stackShard } from './runner-host.contract.ts';

/** Host with the clock of its waits. */
export interface WaitingHostWorld extends RunnerHostWorld {
  /** Ends the jobs of the host's runner. */
  endJobs(hostId: string): void | Promise<void>;
  elapsed(): number;
  /** Lets the time pass that the call takes. */
  during<T>(call: Promise<T>): Promise<T>;
}

const limitMs = 30_000;

/**
 * Tests the contract of every implementation of the RunnerHost port for a check that waits on the
 * host.
 */
export function waitingHostContract(
  title: string,
  make: () => WaitingHostWorld | Promise<WaitingHostWorld>,
) {
  describe(`RunnerHost that waits until a runner is idle, ${title}`, () => {
    let world: WaitingHostWorld;
    let id: string;
    beforeEach(async () => {
      world = await make();
      id = await world.boot(stackShard('pink', 'linux'));
    });
    afterEach(() => world.close());

    async function startJob(): Promise<void> {
      await world.startJob(id);
      for (let checks = 0; checks < 1000; checks += 1) {
        const found = await world.host.look(id);
        if (found.kind === 'report' && found.jobs?.length === 1) return;
        await world.pass();
      }
      throw new Error(`the runner of ${id} started no job`);
    }

    /** Waits on the host during `act`. Returns the response and the duration. */
    async function waitDuring(act: () => void | Promise<void>) {
      const begunAt = world.elapsed();
      let isOver = false;
      const call = world.host.look(id, { untilIdleMs: limitMs }).finally(() => {
        isOver = true;
      });
      for (let passes = 0; passes < 3; passes += 1) await world.pass();
      expect(isOver).toBe(false);
      await act();
      return { answer: await world.during(call), tookMs: world.elapsed() - begunAt };
    }

    test('returns at once while the runner is idle', async () => {
      const begunAt = world.elapsed();
      const call = world.host.look(id, { untilIdleMs: limitMs });
      expect(await world.during(call)).toMatchObject({ kind: 'report', jobs: [] });
      expect(world.elapsed() - begunAt).toBeLessThan(limitMs);
    });

    test('returns before the limit once the last job has ended', async () => {
      await startJob();
      const { answer, tookMs } = await waitDuring(() => world.endJobs(id));
      expect(answer).toMatchObject({ kind: 'report', process: 'running', jobs: [] });
      expect(tookMs).toBeLessThan(limitMs);
    });

    test('returns before the limit when the state of the process changes', async () => {
      await startJob();
      const { answer, tookMs } = await waitDuring(async () => {
        expect(await world.host.quit(id)).toEqual({ kind: 'sent' });
      });
      expect(answer).toMatchObject({ kind: 'report', process: 'quitting' });
      expect(answer).toHaveProperty('jobs.length', 1);
      expect(tookMs).toBeLessThan(limitMs);
    });

    test('returns at the limit while a job runs', async () => {
      await startJob();
      const begunAt = world.elapsed();
      const answer = await world.during(world.host.look(id, { untilIdleMs: 2000 }));
      expect(answer).toHaveProperty('jobs.length', 1);
      expect(world.elapsed() - begunAt).toBeGreaterThanOrEqual(2000);
    });
  });
}
