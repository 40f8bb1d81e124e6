import { expect, test } from '@jest/globals';
import { PortFailure } from '../../../src/ports/failure.ts';
import { createJournal } from '../../../src/stages/record/journal.ts';
import { atOneMoment } from '../../../src/stages/record/parameter-snapshot.ts';
import { lockName, openStore, recordName } from '../../record/parameter-store.ts';
import { failureOf } from '../../support/failure-of.ts';

const names = [recordName, lockName, lockName];

/** A reading of the record, and of the lock for two uses; `asked` is what reached the store. */
async function read() {
  const { incarnation, settle, write, world } = openStore();
  write(recordName, 'first');
  write(lockName, 'ours');
  const asked: string[] = [];
  const parameters = { ...incarnation.ports.parameters };
  const { find } = parameters;
  parameters.find = (name) => {
    asked.push(name);
    return find(name);
  };
  const ports = { ...incarnation.ports, parameters };
  const journal = createJournal({ ports, parameter: recordName, runner: 'linux' });
  const now = await settle(atOneMoment({ ports, journal }, names));
  asked.splice(0);
  const textIn = async (name: string) => (await settle(now.ports.parameters.find(name)))?.value;
  return { now, asked, write, settle, world, textIn };
}

test('a reading answers each mention of a name once', async () => {
  const { asked, write, textIn } = await read();
  write(lockName, 'theirs');
  expect(await textIn(lockName)).toBe('ours');
  expect(await textIn(recordName)).toBe('first');
  expect(await textIn(lockName)).toBe('ours');
  expect(asked).toEqual([]);
  expect(await textIn(lockName)).toBe('theirs');
  expect(asked).toEqual([lockName]);
});

test.each([
  ['reads a parameter again', 'find'],
  ['reads a history', 'listVersions'],
  ['writes', 'overwrite'],
] as const)('a guard that %s makes those after it read anew', async (_, how) => {
  const { now, write, settle, textIn } = await read();
  const { parameters } = now.ports;
  expect(await textIn(recordName)).toBe('first');
  if (how === 'find') await textIn(recordName);
  else if (how === 'listVersions') await settle(parameters.listVersions(recordName));
  else await settle(parameters.overwrite({ name: recordName, value: 'second' }));
  write(lockName, 'theirs');
  expect(await textIn(lockName)).toBe('theirs');
});

test('a reading of more than a second ago answers nothing', async () => {
  const { now, write, settle, textIn } = await read();
  write(lockName, 'theirs');
  await settle(now.ports.clock.sleep(1001));
  expect(await textIn(lockName)).toBe('theirs');
});

test('a parameter that is not read fails its own reader alone', async () => {
  const { incarnation, settle, write } = openStore();
  write(recordName, 'first');
  const failure = new PortFailure({
    kind: 'denied',
    effect: 'none',
    source: 'SSM GetParameter',
    detail: 'denied',
  });
  const { find } = incarnation.ports.parameters;
  const parameters = {
    ...incarnation.ports.parameters,
    find: (name: string) => (name === lockName ? Promise.reject(failure) : find(name)),
  };
  const ports = { ...incarnation.ports, parameters };
  const journal = createJournal({ ports, parameter: recordName, runner: 'linux' });
  const now = await settle(atOneMoment({ ports, journal }, names));
  expect(await settle(now.ports.parameters.find(recordName))).toMatchObject({ value: 'first' });
  expect(await failureOf(settle(now.ports.parameters.find(lockName)))).toBe(failure);
});
