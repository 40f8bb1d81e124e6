import { describe, expect, test } from '@jest/globals';
import { PortFailure } from '../../src/ports/failure.ts';
import { removeParameter } from '../fakes/ports/parameters-fake.ts';
import { openLock, theirs } from './open-lock.ts';
import { lockName } from './parameter-store.ts';

describe('the lock', () => {
  test('is taken and released by an entry each, and its name stays', async () => {
    const { take, settle, entries, holder, ports } = openLock();
    const lock = await take();
    expect(holder()).toMatchObject({ deployment: '1-200' });
    await settle(lock.release(ports, 7));
    expect(entries()).toEqual(['acquire', 'release']);
    expect(holder()).toBeUndefined();
  });

  test('is taken again at once, and hands on which record was seen', async () => {
    const { take, settle, world, log, ports } = openLock();
    await settle((await take()).release(ports, 7));
    const since = world.now;
    expect(await take()).toMatchObject({ record: 7, tookOver: false });
    expect(world.now - since).toBe(0);
    expect(log.lines).toEqual([]);
  });

  test.each([
    ['the answer to its first entry is lost', 1, { kind: 'lost_answer' }],
    ['its first entry arrives twice', 1, { kind: 'twice', answer: 'last' }],
    ['the answer to a later entry is lost', 2, { kind: 'lost_answer' }],
    ['a later entry arrives twice', 2, { kind: 'twice', answer: 'last' }],
  ] as const)('is taken though %s', async (_, round, fault) => {
    const { take, faults, settle, holder, ports } = openLock();
    if (round === 2) await settle((await take()).release(ports, 0));
    faults.push(fault);
    const lock = await take();
    expect(holder()).toMatchObject({ deployment: '1-200' });
    await settle(lock.release(ports, 0));
    expect(holder()).toBeUndefined();
  });

  test.each(['lost_answer', 'twice'] as const)('is released though %s', async (kind) => {
    const { take, faults, settle, holder, ports } = openLock();
    const lock = await take();
    faults.push(kind === 'twice' ? { kind, answer: 'last' } : { kind });
    await settle(lock.release(ports, 0));
    expect(holder()).toBeUndefined();
  });

  test('whose entry arrives a minute after it was given up is nobody’s', async () => {
    const { take, faults, settle, world, simulation, holder, ports } = openLock();
    await settle((await take()).release(ports, 0));
    faults.push({ kind: 'late_effect', afterMs: 60_000 });
    await expect(take()).rejects.toMatchObject({ kind: 'unreachable' });
    const before = world.parameters[lockName]?.versions.length ?? 0;
    await simulation.advance(120_000);
    expect(world.parameters[lockName]?.versions.length).toBe(before + 1);
    expect(holder()).toBeUndefined();
  });

  test('waits for its name only where somebody has deleted it', async () => {
    const { take, settle, world, log, ports } = openLock();
    await settle((await take()).release(ports, 0));
    removeParameter(world, lockName);
    const since = world.now;
    await take();
    expect(world.now - since).toBeGreaterThanOrEqual(30_000);
    expect(world.now - since).toBeLessThan(36_000);
    expect(new Set(log.lines)).toEqual(
      new Set(['Waiting: the name of the lock was deleted, and AWS keeps it back for 30s.']),
    );
  });

  test('whose name is kept back for longer than AWS says is nobody’s, and not waited for without end', async () => {
    const { take, settle, world, ports } = openLock();
    await settle((await take()).release(ports, 0));
    removeParameter(world, lockName);
    world.behaviour.nameFreeAfterMs = 120_000;
    const since = world.now;
    await expect(take()).rejects.toMatchObject({
      code: 'LockHeld',
      exitCode: 75,
      fields: {
        why: ['Lock of nobody: its name was deleted and is kept back.'],
      },
    });
    expect(world.now - since).toBeGreaterThan(36_000);
    expect(world.now - since).toBeLessThan(60_000);
  });

  test('of a job that nobody can judge is held, and says how to take it', async () => {
    const { take, write, textOf } = openLock();
    write(lockName, theirs);
    await expect(take()).rejects.toMatchObject({
      code: 'LockHeld',
      exitCode: 75,
      fields: {
        why: [
          'Lock of job 6001 of deployment 1-100, since 2026-11-02 07:00 UTC: the CI does not know the pipeline.',
        ],
        fix: [
          'Run this again when it has ended: hosted-runner provision --runner linux',
          'Only if you have made sure that it no longer runs: hosted-runner provision --runner linux --take-lock',
        ],
      },
    });
    expect(textOf(lockName)).toBe(theirs);
  });

  test('of a job that is proven to run is not offered to be taken', async () => {
    const { take, write, world } = openLock();
    write(lockName, theirs.replace('1-100', '1-200').replace('6001', '7000'));
    const pipeline = world.pipelines['1-200'];
    if (pipeline !== undefined) pipeline.jobs['7000'] = 'running';
    await expect(take()).rejects.toMatchObject({
      code: 'LockHeld',
      fields: { fix: ['Run this again when it has ended: hosted-runner provision --runner linux'] },
    });
  });

  test('of a job that the CI says runs is not taken by a person’s word either', async () => {
    const { take, write, world, textOf } = openLock();
    const running = theirs.replace('1-100', '1-200').replace('6001', '7000');
    write(lockName, running);
    const pipeline = world.pipelines['1-200'];
    if (pipeline !== undefined) pipeline.jobs['7000'] = 'running';
    await expect(take(true)).rejects.toMatchObject({
      code: 'LockHeld',
      exitCode: 75,
      fields: {
        what: 'Another stage is at linux, and --take-lock was refused.',
        why: [
          'Lock of job 7000 of deployment 1-200, since 2026-11-02 07:00 UTC: job 7000 runs.',
          '--take-lock is for an owner that may have ended; this one is proven to be there.',
        ],
        fix: [
          'If it is not to go on, end it first: cancel its job, or press Ctrl-C where it was typed.',
          'Run this again when it has ended: hosted-runner provision --runner linux',
        ],
      },
    });
    expect(textOf(lockName)).toBe(running);
  });

  test('of a job that the CI says is over needs no person’s word, and is told as that', async () => {
    const { take, write, world, log } = openLock();
    write(lockName, theirs.replace('1-100', '1-200').replace('6001', '7000'));
    const pipeline = world.pipelines['1-200'];
    if (pipeline !== undefined) pipeline.jobs['7000'] = 'finished';
    await take(true);
    expect(log.lines).toEqual([
      'Took over the lock of job 7000 of deployment 1-200, since 2026-11-02 07:00 UTC: no job of its pipeline runs.',
    ]);
  });

  test('is taken over by a person’s word where the CI cannot be asked', async () => {
    const { take, write, ports } = openLock();
    write(lockName, theirs);
    const readLockHolder = () =>
      Promise.reject(
        new PortFailure({ kind: 'denied', effect: 'none', source: 'GitLab', detail: 'no' }),
      );
    const asked = { ...ports, pipelines: { ...ports.pipelines, readLockHolder } };
    await expect(take(true, asked)).resolves.toMatchObject({ tookOver: true });
  });

  test('that its owner has released while a read was behind is taken', async () => {
    const { take, settle, world, holder, ports } = openLock();
    await settle((await take()).release(ports, 0));
    world.behaviour.staleReads = 1;
    await take();
    expect(holder()).toMatchObject({ deployment: '1-200' });
  });

  test('is taken over by a person’s word', async () => {
    const { take, write, settle, log, holder, ports } = openLock();
    write(lockName, theirs);
    const lock = await take(true);
    expect(lock.tookOver).toBe(true);
    expect(log.lines).toEqual([
      'Took over the lock of job 6001 of deployment 1-100, since 2026-11-02 07:00 UTC: taken over by hand.',
    ]);
    await settle(lock.release(ports, 0));
    expect(holder()).toBeUndefined();
  });

  test('that others take at the same moment is not called refused to a person’s word', async () => {
    const { take, steal, ports } = openLock();
    steal();
    const { parameters } = ports;
    const overwrite: typeof parameters.overwrite = async (parameter) => {
      steal();
      return parameters.overwrite(parameter);
    };
    const overtaken = { ...ports, parameters: { ...parameters, overwrite } };
    await expect(take(true, overtaken)).rejects.toMatchObject({
      code: 'LockHeld',
      exitCode: 75,
      fields: {
        what: 'Another stage is at linux.',
        why: [`Lock of others who take it at the same moment; ${lockName} has their names.`],
        fix: ['Run this again when it has ended: hosted-runner provision --runner linux'],
      },
    });
  });

  test('that is not readable is nobody’s to take but a person’s', async () => {
    const { take, write, settle, ports } = openLock();
    write(lockName, 'mine!');
    await expect(take()).rejects.toMatchObject({ code: 'LockInvalid', exitCode: 3 });
    await settle((await take(true)).release(ports, 0));
    await expect(take()).resolves.toMatchObject({ tookOver: false });
  });

  test('is taken though its beginning is not kept any more', async () => {
    const { take, settle, world, ports } = openLock();
    await settle((await take()).release(ports, 0));
    for (let count = 0; count < 60; count += 1) await settle((await take()).release(ports, count));
    expect(world.parameters[lockName]?.versions.length).toBeGreaterThan(120);
    await expect(take()).resolves.toMatchObject({ record: 59 });
  });

  test('that somebody else has taken meanwhile is left to them', async () => {
    const { take, steal, settle, holder, log, ports } = openLock();
    const lock = await take();
    steal();
    await settle(lock.release(ports, 0));
    expect(holder()).toMatchObject({ deployment: '1-666' });
    expect(log.lines).toEqual([
      `! The lock ${lockName} is not ours any more and was left: it is taken by job 6666 of deployment 1-666, since lately.`,
    ]);
  });
});
