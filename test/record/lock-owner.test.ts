import { describe, expect, test } from '@jest/globals';
import { capital } from '../../src/domain/text/capital.ts';
import { removeParameter } from '../fakes/ports/parameters-fake.ts';
import { foreignEntry, openLock } from './open-lock.ts';
import { lockName } from './parameter-store.ts';

describe('the owner of the lock', () => {
  test('continues while no other run writes', async () => {
    const { take, settle } = openLock();
    const lock = await take();
    await expect(settle(lock.confirm())).resolves.toBeUndefined();
  });

  test('continues past an unsuccessful contender', async () => {
    const { take, settle, write } = openLock();
    const lock = await take();
    write(lockName, foreignEntry);
    await expect(settle(lock.confirm())).resolves.toBeUndefined();
  });

  test.each<[string, (opened: ReturnType<typeof openLock>) => void, string]>([
    [
      'another run has taken over',
      ({ steal }) => steal(),
      'the lock now belongs to job 6666 of deployment 1-666 (since lately)',
    ],
    [
      'another writer has edited the parameter by hand',
      ({ write }) => write(lockName, 'mine!'),
      'hosted-runner did not write version 2',
    ],
    [
      'the parameter is gone',
      ({ world }) => removeParameter(world, lockName),
      'its parameter is gone',
    ],
    [
      'another log has the same number',
      ({ world, write }) => {
        removeParameter(world, lockName);
        write(lockName, foreignEntry);
      },
      'the lock now belongs to job 6001 of deployment 1-100 (since 2026-11-02 07:00 UTC)',
    ],
  ])('stops when %s', async (_, happens, reason) => {
    const opened = openLock();
    const lock = await opened.take();
    happens(opened);
    await expect(opened.settle(lock.confirm())).rejects.toMatchObject({
      code: 'LockLost',
      exitCode: 75,
      fields: { why: [`${capital(reason)}.`] },
    });
  });
});

test.each([
  ['once if its entry follows the one that showed the lock free', false, 1],
  ['again if another entry lies between', true, 2],
])('a run that takes the lock reads its history %s', async (_, isBetween, readings) => {
  const { take, settle, ports, steal } = openLock();
  await settle((await take()).release(ports, 7));
  let count = 0;
  const listVersions = async (name: string) => {
    const versions = await ports.parameters.listVersions(name);
    count += 1;
    if (isBetween && count === 1) steal();
    return versions;
  };
  const given = { ...ports, parameters: { ...ports.parameters, listVersions } };
  const taken = take(false, given).then(
    () => 'owned',
    (error) => error.code,
  );
  expect(await taken).toBe(isBetween ? 'LockHeld' : 'owned');
  expect(isBetween ? count >= readings : count === readings).toBe(true);
});
