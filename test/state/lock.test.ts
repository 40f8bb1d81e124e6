import { describe, expect, test } from '@jest/globals';
import { takeLock } from '../../src/state/lock.ts';
import { lockName, openStore, quietLog } from './opening.ts';

function open() {
  const store = openStore();
  const log = quietLog();
  const { ports, run } = store.incarnation;
  const take = (byHand = false) =>
    store.settle(
      takeLock({
        ports,
        parameter: lockName,
        runner: 'linux',
        stage: 'provision',
        run,
        byHand,
        log,
      }),
    );
  return { ...store, log, take };
}

const theirs = JSON.stringify({
  deployment: '1-100',
  job: '6001',
  since: '2026-11-02T07:00:00.000Z',
  process: 'elsewhere',
  nonce: 'theirs',
});

describe('the lock', () => {
  test('is taken and released', async () => {
    const { take, settle, textOf, world, ports } = open();
    const release = await take();
    expect(JSON.parse(textOf(lockName) ?? '')).toMatchObject({ deployment: '1-200', job: '7001' });
    await settle(release(ports));
    expect(world.parameters[lockName]).toBeUndefined();
  });

  test('whose creation got no answer is known by its nonce', async () => {
    const { take, faults, settle, world, ports } = open();
    faults.push({ kind: 'lost_answer' });
    await settle((await take())(ports));
    expect(world.parameters[lockName]).toBeUndefined();
  });

  test('whose creation arrived twice is known by its nonce', async () => {
    const { take, faults, settle, world, ports } = open();
    faults.push({ kind: 'twice', answer: 'last' });
    await settle((await take())(ports));
    expect(world.parameters[lockName]).toBeUndefined();
  });

  test('whose taking over arrived twice is taken', async () => {
    const { take, faults, settle, write, world, ports } = open();
    write(lockName, theirs);
    faults.push({ kind: 'delay' }, { kind: 'twice', answer: 'last' });
    await settle((await take(true))(ports));
    expect(world.parameters[lockName]).toBeUndefined();
  });

  test('whose release got no answer is not released twice', async () => {
    const { take, faults, settle, world, ports } = open();
    const release = await take();
    faults.push({ kind: 'lost_answer' });
    await settle(release(ports));
    expect(world.parameters[lockName]).toBeUndefined();
  });

  test('waits until AWS gives out the name of the last one again', async () => {
    const { take, settle, world, log, ports } = open();
    await settle((await take())(ports));
    const since = world.now;
    await take();
    expect(world.now - since).toBeGreaterThanOrEqual(30_000);
    expect(world.now - since).toBeLessThan(36_000);
    expect(log.lines).toContain(
      'Waiting: AWS asks for 30s before the name of the last lock can be used again.',
    );
  });

  test('of a job that the CI does not call over is held, with what to do', async () => {
    const { take, write, textOf } = open();
    write(lockName, theirs);
    await expect(take()).rejects.toMatchObject({
      code: 'LockHeld',
      exitCode: 75,
      fields: {
        why: [
          'Lock of job 6001 of deployment 1-100, since 2026-11-02T07:00:00.000Z: the CI does not know the pipeline.',
        ],
      },
    });
    expect(textOf(lockName)).toBe(theirs);
  });

  test('is taken over by a person’s word', async () => {
    const { take, write, settle, log, world, ports } = open();
    write(lockName, theirs);
    await settle((await take(true))(ports));
    expect(log.lines[0]).toBe(
      'Took over the lock of job 6001 of deployment 1-100, since 2026-11-02T07:00:00.000Z: taken over by hand.',
    );
    expect(world.parameters[lockName]).toBeUndefined();
  });

  test('that is not readable is nobody’s to take but a person’s', async () => {
    const { take, write } = open();
    write(lockName, 'mine!');
    await expect(take()).rejects.toMatchObject({ code: 'LockInvalid', exitCode: 3 });
    await expect(take(true)).resolves.toBeInstanceOf(Function);
  });

  test('that somebody else has taken meanwhile is left to them', async () => {
    const { take, write, settle, textOf, log, ports } = open();
    const release = await take();
    write(lockName, theirs);
    await settle(release(ports));
    expect(textOf(lockName)).toBe(theirs);
    expect(log.lines).toEqual([`! The lock ${lockName} is not ours any more and was left.`]);
  });
});
