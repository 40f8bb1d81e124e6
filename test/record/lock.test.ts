import { describe, expect, test } from '@jest/globals';
import { PortFailure } from '../../src/ports/failure.ts';
import { removeParameter } from '../fakes/ports/parameters-fake.ts';
import { foreignEntry, openLock } from './open-lock.ts';
import { lockName } from './parameter-store.ts';

describe('the lock', () => {
  test('gets an entry for each acquire and release, and its name stays', async () => {
    const { take, settle, entries, holder, ports } = openLock();
    const lock = await take();
    expect(holder()).toMatchObject({ deployment: '1-200' });
    await settle(lock.release(ports, 7));
    expect(entries()).toEqual(['acquire', 'release']);
    expect(holder()).toBeUndefined();
  });

  test('can be taken again at once, with the version of the record that was seen', async () => {
    const { take, settle, world, log, ports } = openLock();
    await settle((await take()).release(ports, 7));
    const since = world.now;
    expect(await take()).toMatchObject({ record: 7, tookOver: false });
    expect(world.now - since).toBe(0);
    expect(log.lines).toEqual([]);
  });

  test.each([
    ['the response to its first entry is lost', 1, { kind: 'lost_answer' }],
    ['its first entry arrives twice', 1, { kind: 'twice', answer: 'last' }],
    ['the response to a later entry is lost', 2, { kind: 'lost_answer' }],
    ['a later entry arrives twice', 2, { kind: 'twice', answer: 'last' }],
  ] as const)('can be taken although %s', async (_, round, fault) => {
    const { take, faults, settle, holder, ports } = openLock();
    if (round === 2) await settle((await take()).release(ports, 0));
    faults.push(fault);
    const lock = await take();
    expect(holder()).toMatchObject({ deployment: '1-200' });
    await settle(lock.release(ports, 0));
    expect(holder()).toBeUndefined();
  });

  test.each(['lost_answer', 'twice'] as const)(
    'can be released with the fault %s',
    async (kind) => {
      const { take, faults, settle, holder, ports } = openLock();
      const lock = await take();
      faults.push(kind === 'twice' ? { kind, answer: 'last' } : { kind });
      await settle(lock.release(ports, 0));
      expect(holder()).toBeUndefined();
    },
  );

  test('stays without an owner if an abandoned entry arrives a minute later', async () => {
    const { take, faults, settle, world, simulation, holder, ports } = openLock();
    await settle((await take()).release(ports, 0));
    faults.push({ kind: 'late_effect', afterMs: 60_000 });
    await expect(take()).rejects.toMatchObject({ kind: 'unreachable' });
    const before = world.parameters[lockName]?.versions.length ?? 0;
    await simulation.advance(120_000);
    expect(world.parameters[lockName]?.versions.length).toBe(before + 1);
    expect(holder()).toBeUndefined();
  });

  test('waits for its name if the name was deleted, and not otherwise', async () => {
    const { take, settle, world, log, ports } = openLock();
    await settle((await take()).release(ports, 0));
    removeParameter(world, lockName);
    const since = world.now;
    await take();
    expect(world.now - since).toBeGreaterThanOrEqual(30_000);
    expect(world.now - since).toBeLessThan(36_000);
    expect(new Set(log.lines)).toEqual(
      new Set([
        'Waiting: the parameter of the lock was deleted, and AWS reserves its name for 30s.',
      ]),
    );
  });

  test('fails in time if its name stays reserved for longer than AWS states', async () => {
    const { take, settle, world, ports } = openLock();
    await settle((await take()).release(ports, 0));
    removeParameter(world, lockName);
    world.behaviour.nameFreeAfterMs = 120_000;
    const since = world.now;
    await expect(take()).rejects.toMatchObject({
      code: 'LockHeld',
      exitCode: 75,
      fields: {
        why: [
          'Lock holder: an unknown run, because the lock was deleted and AWS still reserves its name.',
        ],
      },
    });
    expect(world.now - since).toBeGreaterThan(36_000);
    expect(world.now - since).toBeLessThan(60_000);
  });

  test('stays held if the CI does not know the job, and the error names --take-lock', async () => {
    const { take, write, textOf } = openLock();
    write(lockName, foreignEntry);
    await expect(take()).rejects.toMatchObject({
      code: 'LockHeld',
      exitCode: 75,
      fields: {
        why: [
          'Lock holder: job 6001 of deployment 1-100 (since 2026-11-02 07:00 UTC). The CI does not know the pipeline.',
        ],
        fix: [
          'Once that run has ended, run again: hosted-runner provision --runner linux',
          'Only if you are sure that it has ended: hosted-runner provision --runner linux --take-lock',
        ],
      },
    });
    expect(textOf(lockName)).toBe(foreignEntry);
  });

  test('gets no offer of --take-lock while its job is proven to run', async () => {
    const { take, write, world } = openLock();
    write(lockName, foreignEntry.replace('1-100', '1-200').replace('6001', '7000'));
    const pipeline = world.pipelines['1-200'];
    if (pipeline !== undefined) pipeline.jobs['7000'] = 'running';
    await expect(take()).rejects.toMatchObject({
      code: 'LockHeld',
      fields: {
        fix: ['Once that run has ended, run again: hosted-runner provision --runner linux'],
      },
    });
  });

  test('refuses --take-lock while the CI reports that the job runs', async () => {
    const { take, write, world, textOf } = openLock();
    const running = foreignEntry.replace('1-100', '1-200').replace('6001', '7000');
    write(lockName, running);
    const pipeline = world.pipelines['1-200'];
    if (pipeline !== undefined) pipeline.jobs['7000'] = 'running';
    await expect(take(true)).rejects.toMatchObject({
      code: 'LockHeld',
      exitCode: 75,
      fields: {
        what: 'Another run holds the lock of linux, and --take-lock was refused.',
        why: [
          'Lock holder: job 7000 of deployment 1-200 (since 2026-11-02 07:00 UTC). Job 7000 runs.',
          '--take-lock is only for a run that may have ended. That run is still running.',
        ],
        fix: [
          'If that run should not continue, end it first: cancel its job, or press Ctrl-C in its terminal.',
          'Once that run has ended, run again: hosted-runner provision --runner linux',
        ],
      },
    });
    expect(textOf(lockName)).toBe(running);
  });

  test('needs no --take-lock if the CI reports that the job has ended, and the log names the CI', async () => {
    const { take, write, world, log } = openLock();
    write(lockName, foreignEntry.replace('1-100', '1-200').replace('6001', '7000'));
    const pipeline = world.pipelines['1-200'];
    if (pipeline !== undefined) pipeline.jobs['7000'] = 'finished';
    await take(true);
    expect(log.lines).toEqual([
      'Took over the lock of job 7000 of deployment 1-200 (since 2026-11-02 07:00 UTC). No job of its pipeline runs.',
    ]);
  });

  test('passes to --take-lock if the CI cannot be queried', async () => {
    const { take, write, ports } = openLock();
    write(lockName, foreignEntry);
    const readLockHolder = () =>
      Promise.reject(
        new PortFailure({ kind: 'denied', effect: 'none', source: 'GitLab', detail: 'no' }),
      );
    const deniedPorts = { ...ports, pipelines: { ...ports.pipelines, readLockHolder } };
    await expect(take(true, deniedPorts)).resolves.toMatchObject({ tookOver: true });
  });

  test('can be taken if an outdated read still shows the owner that released it', async () => {
    const { take, settle, world, holder, ports } = openLock();
    await settle((await take()).release(ports, 0));
    world.behaviour.staleReads = 1;
    await take();
    expect(holder()).toMatchObject({ deployment: '1-200' });
  });

  test('passes to --take-lock', async () => {
    const { take, write, settle, log, holder, ports } = openLock();
    write(lockName, foreignEntry);
    const lock = await take(true);
    expect(lock.tookOver).toBe(true);
    expect(log.lines).toEqual([
      'Took over the lock of job 6001 of deployment 1-100 (since 2026-11-02 07:00 UTC). An operator declared that the holder has ended.',
    ]);
    await settle(lock.release(ports, 0));
    expect(holder()).toBeUndefined();
  });

  test('counts as held, not as refused to --take-lock, if another run takes it at the same moment', async () => {
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
        what: 'Another run holds the lock of linux.',
        why: [`Lock holder: other runs that take it at the same time (${lockName} lists them).`],
        fix: ['Once that run has ended, run again: hosted-runner provision --runner linux'],
      },
    });
  });

  test('passes to --take-lock alone if it is unreadable', async () => {
    const { take, write, settle, ports } = openLock();
    write(lockName, 'mine!');
    await expect(take()).rejects.toMatchObject({ code: 'LockInvalid', exitCode: 3 });
    await settle((await take(true)).release(ports, 0));
    await expect(take()).resolves.toMatchObject({ tookOver: false });
  });

  test('can be taken although its beginning is no longer kept', async () => {
    const { take, settle, world, ports } = openLock();
    await settle((await take()).release(ports, 0));
    for (let count = 0; count < 60; count += 1) await settle((await take()).release(ports, count));
    expect(world.parameters[lockName]?.versions.length).toBeGreaterThan(120);
    await expect(take()).resolves.toMatchObject({ record: 59 });
  });

  test('stays with another run that took it meanwhile', async () => {
    const { take, steal, settle, holder, log, ports } = openLock();
    const lock = await take();
    steal();
    await settle(lock.release(ports, 0));
    expect(holder()).toMatchObject({ deployment: '1-666' });
    expect(log.lines).toEqual([
      `! The lock ${lockName} has another owner and was left unchanged: the lock now belongs to job 6666 of deployment 1-666 (since lately).`,
    ]);
  });
});
