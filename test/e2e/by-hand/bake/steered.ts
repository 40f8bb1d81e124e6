import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { until } from '../world/shards.ts';
import { openWorld, type World } from '../world/world.ts';

/** A bake that ends by what its signals say: longer than any test. */
export const steered = [
  'bake.for=1h',
  'bake.at_most=2h',
  'bake.poll=300ms',
  'bake.jobs=0',
  'bake.signals.canary=off',
  'drain.service_poll=1s',
];

/** Pink serves, and the bake of the sandbox's own configuration is taken in. */
export async function openSteered(): Promise<World> {
  const world = await openWorld();
  const file = world.environment['HOSTED_RUNNER_CONFIG'] ?? '';
  // As docs/use/sandbox.md has it: sed 's/^  #/  /'.
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^ {2}#/gm, '  '));
  allGood(world);
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  return world;
}

export function allGood(world: World): void {
  const { signals } = world.sandbox;
  sayOfQuery(world, '0.01');
  sayOfAlarm(world, 'OK');
  signals.sayOfWebhook({ kind: 'status', status: 204, body: '' });
}

export function sayOfAlarm({ sandbox }: World, state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA'): void {
  sandbox.signals.sayOfAlarm({ name: 'runner-errors', kind: 'metric', state, reason: '7 errors' });
}

/** Absent: its series are gone. */
export function sayOfQuery({ sandbox }: World, value?: string): void {
  const series = value === undefined ? [] : [{ metric: {}, value }];
  sandbox.signals.sayOfQuery('runner_errors', { kind: 'series', series, incomplete: false });
}

/** Purple is promoted, and pink is about to be drained. */
export async function promotedWorld(): Promise<World> {
  const world = await openSteered();
  await stages(world, ['prepare', 'provision'], steered);
  return world;
}

export async function stages(
  world: World,
  names: readonly string[],
  set: readonly string[],
): Promise<void> {
  for (const name of names) {
    const end = await world.stage(name, { set });
    expect(end.exitCode === 0 ? '' : `${name} ended with ${end.exitCode}: ${end.text}`).toBe('');
  }
}

/** A command that watches without the lock, in a process of its own: at a terminal every one does. */
export function startWatch(
  world: World,
  { command = 'shutdown', set = steered }: { command?: string; set?: readonly string[] } = {},
) {
  const running = world.start({ args: [command, '--runner', 'linux'], set });
  let isOver = false;
  void running.ended.then(() => {
    isOver = true;
  });
  return {
    ...running,
    /** Waits until it has said that; of one that has ended without it, everything it said. */
    async says(what: string): Promise<void> {
      await until(() => isOver || running.text().includes(what));
      expect(running.text()).toContain(what);
    },
  };
}

/** The last words of the program about a deployment that was taken back. */
export const takenBack = { exitCode: 1, code: 'TakenBack' } as const;
