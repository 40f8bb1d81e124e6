import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunnerName, Shard, StackShard } from '../../src/domain/shard.ts';
import type { HostReport, RunnerHost } from '../../src/ports/runner-host.ts';

/** Hosts with the hands of the world around them. */
export interface RunnerHostWorld {
  readonly host: RunnerHost;
  /** A host of the shard whose runner runs and is idle; its id. */
  boot(shard: StackShard): Promise<string>;
  /** Gives the host's runner a job that does not end by itself. */
  startJob(hostId: string): Promise<void>;
  /** The agent does not answer any more; the machine runs on. */
  loseAgent(hostId: string): void | Promise<void>;
  terminate(hostId: string): void | Promise<void>;
  /** Containers cannot be started any more, because the disk is full. */
  fillDisk(hostId: string): void | Promise<void>;
  /** Addresses, and whether a host reaches them. */
  readonly targets: readonly { readonly target: string; readonly kind: 'reached' | 'refused' }[];
  /** GitLab takes the token of the host's runner no longer. */
  revokeToken(hostId: string): void | Promise<void>;
  /** Time passes: a second, or until something happened. */
  pass(): Promise<void>;
  close(): void | Promise<void>;
}

const pink = stackShard('pink', 'linux');

/** What every implementation of the RunnerHost port keeps. */
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
      const looked = await host.look(id);
      if (looked.kind === 'silent') throw new Error(`${id} is silent: ${looked.reason}`);
      return looked;
    }
    async function reportOnce(
      id: string,
      isSo: (found: HostReport) => boolean,
    ): Promise<HostReport> {
      for (let looks = 0; looks < 1000; looks += 1) {
        const found = await report(id);
        if (isSo(found)) return found;
        await world.pass();
      }
      throw new Error(`${id} never came to what was waited for`);
    }

    test('lists the hosts of exactly this shard of exactly this stack', async () => {
      const id = await world.boot(pink);
      await world.boot(stackShard('purple', 'linux'));
      await world.boot(stackShard('pink', 'linux-2'));
      expect((await host.list(pink)).map((each) => each.id)).toEqual([id]);
      expect(await host.list(pink)).toMatchObject([{ id, agent: 'online' }]);
    });

    test('lists none where none is, and no terminated one', async () => {
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

    test('quits an idle runner, which does not come back', async () => {
      const id = await world.boot(pink);
      expect(await host.quit(id)).toEqual({ kind: 'sent' });
      const found = await reportOnce(id, ({ process }) => process === 'stopped');
      expect(found).toMatchObject({ process: 'stopped', restarts: false });
      expect(found.jobs).toBeUndefined();
      expect(await host.quit(id)).toEqual({ kind: 'already_stopped' });
    });

    test('starts a runner that has ended, for good, and leaves a running one as it is', async () => {
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

    test('a runner that quits finishes its job, also when told twice', async () => {
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

    test('probes that a host can do the least real work', async () => {
      expect(await host.probeWorkload(await world.boot(pink))).toEqual({ kind: 'worked' });
    });

    test('says why a host cannot work', async () => {
      const id = await world.boot(pink);
      await world.fillDisk(id);
      expect(await host.probeWorkload(id)).toMatchObject({
        kind: 'failed',
        reason: expect.stringMatching(/no space left on device/),
      });
    });

    test('tells for each address whether the host reaches it, in their order', async () => {
      const id = await world.boot(pink);
      const targets = world.targets;
      const answers = await host.reach(
        id,
        targets.map(({ target }) => target),
      );
      expect(answers.map(({ target, kind }) => ({ target, kind }))).toEqual(targets);
      expect(answers.every(({ detail }) => detail !== '')).toBe(true);
    });

    test('says what GitLab says to the token of the runner', async () => {
      const id = await world.boot(pink);
      expect(await host.verifyToken(id)).toMatchObject({ kind: 'accepted' });
      await world.revokeToken(id);
      expect(await host.verifyToken(id)).toMatchObject({ kind: 'refused' });
    });

    test('an unknown or terminated host is silent and never idle', async () => {
      const id = await world.boot(pink);
      await world.terminate(id);
      expect(await host.look(id)).toMatchObject({ kind: 'silent' });
      expect(await host.look('i-0123456789abcdef0')).toMatchObject({ kind: 'silent' });
    });

    test('a host whose agent is lost is listed as lost and silent', async () => {
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
