import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, purple } from '../../fakes/builders.ts';
import type { Call } from '../../fakes/faults/fault-wrapper.ts';
import { removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { hostsOf, parametersOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Command } from '../../stages/drive.ts';
import { arrive, reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { hang, minute, openPromoted } from '../service/promoted.ts';

/** What GitHub leaves between its first signal and the end. */
const graceMs = 7500;

const stackOf = (world: World) => world.stacks[0] as StackSettings;

async function whereTheLocksNameIsKeptBack(): Promise<World> {
  const world = await arrive('prepared');
  removeParameter(world, parametersOf(stackOf(world)).lock);
  return world;
}

const waits: readonly [string, () => Promise<World>, Command, number][] = [
  ['for the lock', whereTheLocksNameIsKeptBack, 'onboard', 4000],
  ['for a job in a drain', () => reach('draining'), 'shutdown', 20 * minute],
  [
    'for a host to boot in a healthcheck',
    () => reach('onboarded', { behaviour: { bootMs: 60 * minute } }),
    'provision',
    8 * minute,
  ],
];

describe('a signal ends the wait', () => {
  test.each(waits)('%s', async (_, begin, command, afterMs) => {
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

describe('after a cancel nobody who hangs is waited for, and what else is known is told', () => {
  /** Cancelled as its hosts are asked for the first time; from then on `hangs` answers to nothing. */
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
  ])('%s: its runner is open', async (_, hangs) => {
    expect(await cancelledWhile(hangs, () => {})).toBe(
      'purple is active, and it is not proven to serve: runner 48214 of purple is un-paused and has its tags; its hosts did not answer in time; a manager of it last contacted GitLab 1s ago; the last sign of work is that canary job 9000001 ran there 10m 27s ago.',
    );
  });

  test.each([
    ['a host', host],
    ['the list of hosts', list],
  ])('%s: its runner is paused', async (_, hangs) => {
    const pause = (world: World) => {
      for (const one of registrationsOf(world, stackOf(world), purple)) one.paused = true;
    };
    expect(await cancelledWhile(hangs, pause)).toBe(
      'purple is active and takes no job: runner 48214 of purple is paused.',
    );
  });

  test('GitLab: the status', async () => {
    expect(await cancelledWhile(gitlab, () => {})).toBe(
      'purple is active, and whether it serves is not known: nobody said in time.',
    );
  });
});

test('a canary that is cancelled leaves its tag, and the command that takes it off is told', async () => {
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
    "! The canary's tag is left on purple: shutdown was cancelled. To finish, which takes it off: hosted-runner finalize --runner linux",
  ]);
});
