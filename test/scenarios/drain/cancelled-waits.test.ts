import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, purple } from '../../fakes/builders.ts';
import type { Call } from '../../fakes/faults/fault-wrapper.ts';
import { removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { hostsOf, parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Command } from '../../stages/drive.ts';
import { arrive, reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { hang, minute, openPromoted } from '../service/promoted.ts';

/** Time between GitHub's first signal and the end of the process. */
const graceMs = 7500;

const stackOf = (world: World) => world.stacks[0] as StackSettings;

async function whereTheLocksNameIsKeptBack(): Promise<World> {
  const world = await arrive('prepared');
  removeParameter(world, parametersOf(stackOf(world)).lock);
  return world;
}

const waits: readonly [string, () => Promise<World>, Command, number][] = [
  ['the wait for the lock', whereTheLocksNameIsKeptBack, 'onboard', 4000],
  ['the wait for a job in a drain', () => reach('draining'), 'shutdown', 20 * minute],
  [
    'the wait for a host to boot in a healthcheck',
    () => reach('onboarded', { behaviour: { bootMs: 60 * minute } }),
    'provision',
    8 * minute,
  ],
];

describe('a cancelled wait', () => {
  test.each(waits)('ends at a signal: %s', async (_, begin, command, afterMs) => {
    const world = await begin();
    const scene = openScene(world);
    const controller = new AbortController();
    const begunAt = world.now;
    scene.simulation.at(afterMs, () => controller.abort(new Error('received SIGTERM')));
    const ending = await scene.type(command, { signal: controller.signal });
    expect(ending).toMatchObject({ error: { code: 'Cancelled', exitCode: 130 } });
    expect(world.now - begunAt).toBeGreaterThanOrEqual(afterMs);
    expect(world.now - begunAt).toBeLessThan(afterMs + graceMs);
    expect(hostsOf(world, stackOf(world), pink)).toMatchObject([{ process: 'running' }]);
    expect(world.violations).toEqual([]);
  });
});

describe('the error summary after a cancellation', () => {
  /**
   * Cancels a command at its first host query. From then on, calls that match `hangs` get no
   * response.
   */
  async function cancelledWhile(hangs: (call: Call) => boolean, change: (world: World) => void) {
    const world = await reach('done');
    change(world);
    const controller = new AbortController();
    let cancelledAt = 0;
    const scene = openScene(world, (call) => {
      if (controller.signal.aborted)
        return hangs(call) ? { kind: 'delay', beforeMs: 90_000 } : undefined;
      if (call.port !== 'host' || call.method !== 'look') return undefined;
      cancelledAt = world.now;
      controller.abort(new Error('received SIGINT'));
      return undefined;
    });
    const ending = await scene.type('deploy', { deploymentId: '1-300', signal: controller.signal });
    expect(ending).toMatchObject({ error: { code: 'Cancelled', exitCode: 130 } });
    expect(world.now - cancelledAt).toBeLessThan(5000);
    return ending.kind === 'error' ? ending.error.fields.now : undefined;
  }

  const host = ({ port, method }: Call) => port === 'host' && method === 'look';
  const list = ({ port, method }: Call) => port === 'host' && method === 'list';
  const gitlab = ({ port }: Call) => port === 'registry';

  test.each([
    ['a host', host],
    ['the list of hosts', list],
  ])('does not wait for %s: the runner is unpaused', async (_, hangs) => {
    expect(await cancelledWhile(hangs, () => {})).toBe(
      'purple is active but not verified: runner 48214 of purple is unpaused and has its tags; its hosts did not respond in time; a manager contacted GitLab 1s ago; the last observed activity: canary job 9000001 ran on purple 10m 27s ago.',
    );
  });

  test.each([
    ['a host', host],
    ['the list of hosts', list],
  ])('does not wait for %s: the runner is paused', async (_, hangs) => {
    const pause = (world: World) => {
      for (const one of registrationsOf(world, stackOf(world), purple)) one.paused = true;
    };
    expect(await cancelledWhile(hangs, pause)).toBe(
      'purple is active but takes no jobs: runner 48214 of purple is paused.',
    );
  });

  test('does not wait for GitLab and reports the status alone', async () => {
    expect(await cancelledWhile(gitlab, () => {})).toBe(
      'purple is active; it is unknown whether it accepts jobs: the check timed out.',
    );
  });
});

test('a cancelled canary leaves its tag, and the log names the command that removes it', async () => {
  const controller = new AbortController();
  let command = 'provision';
  const { scene, world } = await openPromoted(undefined, ({ port, method }) => {
    if (command === 'shutdown' && port === 'canary' && method === 'find')
      controller.abort(new Error('received SIGTERM'));
    return undefined;
  });
  command = 'shutdown';
  hang(world, purple);
  await scene.simulation.advance(30 * minute);
  const ending = await scene.type('shutdown', { signal: controller.signal });
  expect(ending).toMatchObject({ error: { code: 'Cancelled' } });
  expect(ending.log.filter((line) => line.includes("canary's tag"))).toEqual([
    "! The canary's tag is still on the runner of purple: shutdown was cancelled. To finish the deployment, which removes the tag: hosted-runner finalize --runner linux",
  ]);
});
