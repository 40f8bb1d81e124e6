import { expect, test } from '@jest/globals';
import { PortFailure } from '../../../src/ports/failure.ts';
import { findInSnapshot, readParameters } from '../../../src/stages/record/parameter-snapshot.ts';
import { lockName, openStore, recordName } from '../../record/parameter-store.ts';
import { failureOf } from '../../support/failure-of.ts';

/** Takes a snapshot of the record and of a lock, and then writes the lock again. */
async function readBeforeWrite() {
  const { incarnation, settle, write } = openStore();
  const { ports } = incarnation;
  write(recordName, 'first');
  write(lockName, 'ours');
  const snapshot = await settle(readParameters(ports, [recordName, lockName]));
  write(lockName, 'theirs');
  const shown = async (name: string, of = snapshot) =>
    (await settle(findInSnapshot(ports, name, of)))?.value;
  return { ports, snapshot, settle, shown };
}

test('a snapshot shows what it has read, however often it is used', async () => {
  const { shown } = await readBeforeWrite();
  expect(await shown(lockName)).toBe('ours');
  expect(await shown(recordName)).toBe('first');
  expect(await shown(lockName)).toBe('ours');
});

test('a parameter that a snapshot does not contain is read', async () => {
  const { shown } = await readBeforeWrite();
  expect(await shown(lockName, new Map())).toBe('theirs');
});

test('a snapshot of more than a second ago is not used', async () => {
  const { ports, settle, shown } = await readBeforeWrite();
  await settle(ports.clock.sleep(1001));
  expect(await shown(lockName)).toBe('theirs');
});

test('a parameter without a response is unknown, and fails its own reader alone', async () => {
  const { ports, settle } = await readBeforeWrite();
  const failure = new PortFailure({
    kind: 'denied',
    effect: 'none',
    source: 'SSM GetParameter',
    detail: 'denied',
  });
  const { find } = ports.parameters;
  const parameters = {
    ...ports.parameters,
    find: (name: string) => (name === lockName ? Promise.reject(failure) : find(name)),
  };
  const snapshot = await settle(readParameters({ ...ports, parameters }, [recordName, lockName]));
  expect(await settle(findInSnapshot(ports, recordName, snapshot))).toMatchObject({
    value: 'first',
  });
  expect(await failureOf(settle(findInSnapshot(ports, lockName, snapshot)))).toBe(failure);
});
