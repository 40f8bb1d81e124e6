import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunnerName, Shard, StackShard } from '../../src/domain/shard.ts';
import type { HostReport, RunnerHost } from '../../src/ports/runner-host.ts';

/** Hosts with controls of their world. */
export interface RunnerHostWorld {
  readonly host: RunnerHost;
  /** Boots a host of the shard with an idle runner. Returns its id. */
  boot(shard: StackShard): Promise<string>;
  /** Assigns a job to the host's runner that does not end by itself. */
  startJob(hostId: string): Promise<void>;
  /** Stops the agent's responses while the machine runs. */
  loseAgent(hostId: string): void | Promise<void>;
  terminate(hostId: string): void | Promise<void>;
  /** Fills the disk, which prevents new containers. */
  fillDisk(hostId: string): void | Promise<void>;
  /** Addresses, and whether a host can reach them. */
  readonly targets: readonly { readonly target: string; readonly kind: 'reached' | 'refused' }[];
  /** Makes GitLab refuse the token of the host's runner. */
  revokeToken(hostId: string): void | Promise<void>;
  /** Lets a second pass, or waits for an event. */
  pass(): Promise<void>;
  close(): void | Promise<void>;
}

const pink = stackShard('pink', 'linux');

/** Tests the contract of every implementation of the RunnerHost port. */
export function runnerHostContract(
  title: string,
  make: () => RunnerHostWorld | Promise<RunnerHostWorld>,
) {
  describe(`RunnerHost, ${title}`, () => {
    let world: RunnerHostWorld;
    let host: RunnerHost;
    beforeEach(async () => {
      world = await make();
      host = world.host;
    });
    afterEach(() => world.close());

    async function report(id: string): Promise<HostReport> {
      const reading = await host.look(id);
      if (reading.kind === 'silent') throw new Error(`${id} is silent: ${reading.reason}`);
      return reading;
    }
    async function reportOnce(
      id: string,
      isSo: (found: HostReport) => boolean,
    ): Promise<HostReport> {
      for (let polls = 0; polls < 1000; polls += 1) {
        const found = await report(id);
        if (isSo(found)) return found;
        await world.pass();
      }
      throw new Error(`${id} never came to a wait`);
    }

    test('lists the hosts of exactly this shard of exactly this stack', async () => {
      const id = await world.boot(pink);
      await world.boot(stackShard('purple', 'linux'));
      await world.boot(stackShard('pink', 'linux-2'));
      expect((await host.list(pink)).map((each) => each.id)).toEqual([id]);
      expect(await host.list(pink)).toMatchObject([{ id, agent: 'online' }]);
    });

    test('lists no host if there is none, and no terminated one', async () => {
      expect(await host.list(pink)).toEqual([]);
      await world.terminate(await world.boot(pink));
      expect(await host.list(pink)).toEqual([]);
    });

    test('reports an idle runner', async () => {
      const found = await report(await world.boot(pink));
      expect(found).toMatchObject({
        kind: 'report',
        process: 'running',
        jobs: [],
        ready: 'ready',
        restarts: true,
      });
      expect(found.version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(found.systemId).toMatch(/^[sr]_[0-9a-zA-Z]{12}$/);
    });

    test('reports a job while it runs', async () => {
      const id = await world.boot(pink);
      await world.startJob(id);
      const found = await reportOnce(id, ({ jobs }) => jobs?.length === 1);
      expect(found.jobs?.[0]).toMatch(/^url=/);
    });

    test('quits an idle runner, which does not restart', async () => {
      const id = await world.boot(pink);
      expect(await host.quit(id)).toEqual({ kind: 'sent' });
      const found = await reportOnce(id, ({ process }) => process === 'stopped');
      expect(found).toMatchObject({ process: 'stopped', restarts: false });
      expect(found.jobs).toBeUndefined();
      expect(await host.quit(id)).toEqual({ kind: 'already_stopped' });
    });

    test('starts an ended runner permanently, and keeps a running one', async () => {
      const id = await world.boot(pink);
      expect(await host.start(id)).toEqual({ kind: 'already_running' });
      await host.quit(id);
      await reportOnce(id, ({ process }) => process === 'stopped');
      expect(await host.start(id)).toEqual({ kind: 'started' });
      const found = await reportOnce(id, ({ process, jobs }) => {
        return process === 'running' && jobs !== undefined;
      });
      expect(found).toMatchObject({ restarts: true, jobs: [] });
      expect(await host.start(id)).toEqual({ kind: 'already_running' });
    });

    test('lets a quitting runner finish its job, even after a second quit', async () => {
      const id = await world.boot(pink);
      await world.startJob(id);
      await reportOnce(id, ({ jobs }) => jobs?.length === 1);
      expect(await host.quit(id)).toEqual({ kind: 'sent' });
      expect(await host.quit(id)).toEqual({ kind: 'sent' });
      const found = await reportOnce(id, ({ process }) => process === 'quitting');
      expect(found.jobs).toHaveLength(1);
      expect(found.restarts).toBe(false);
    });

    test('kills a runner together with its job', async () => {
      const id = await world.boot(pink);
      await world.startJob(id);
      await reportOnce(id, ({ jobs }) => jobs?.length === 1);
      await host.kill(id);
      const found = await reportOnce(id, ({ process }) => process === 'stopped');
      expect(found.restarts).toBe(false);
    });

    test('probes that a host can run a minimal workload', async () => {
      expect(await host.probeWorkload(await world.boot(pink))).toEqual({ kind: 'worked' });
    });

    test('reports why a host cannot run a workload', async () => {
      const id = await world.boot(pink);
      await world.fillDisk(id);
      expect(await host.probeWorkload(id)).toMatchObject({
        kind: 'failed',
        reason: expect.stringMatching(/no space left on device/),
      });
    });

    test('reports for each address whether the host reaches it, in order', async () => {
      const id = await world.boot(pink);
      const targets = world.targets;
      const answers = await host.reach(
        id,
        targets.map(({ target }) => target),
      );
      expect(answers.map(({ target, kind }) => ({ target, kind }))).toEqual(targets);
      expect(answers.every(({ detail }) => detail !== '')).toBe(true);
    });

    test('reports GitLab’s verdict on the runner token', async () => {
      const id = await world.boot(pink);
      expect(await host.verifyToken(id)).toMatchObject({ kind: 'accepted' });
      await world.revokeToken(id);
      expect(await host.verifyToken(id)).toMatchObject({ kind: 'refused' });
    });

    test('counts an unknown or terminated host as no response, never as idle', async () => {
      const id = await world.boot(pink);
      await world.terminate(id);
      expect(await host.look(id)).toMatchObject({ kind: 'silent' });
      expect(await host.look('i-0123456789abcdef0')).toMatchObject({ kind: 'silent' });
    });

    test('lists a host with a lost agent as lost, and gets no response from it', async () => {
      const id = await world.boot(pink);
      await world.loseAgent(id);
      expect(await host.list(pink)).toMatchObject([{ id, agent: 'lost' }]);
      expect(await host.look(id)).toMatchObject({ kind: 'silent' });
    });
  });
}

export function stackShard(shard: string, runnerName: string): StackShard {
  return { shard: shard as Shard, runnerName: runnerName as RunnerName };
}
