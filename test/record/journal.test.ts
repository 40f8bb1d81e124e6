import { describe, expect, test } from '@jest/globals';
import { readHold } from '../../src/stages/record/hold-parameter.ts';
import { createJournal } from '../../src/stages/record/journal.ts';
import { recordAt } from '../domain/samples.ts';
import type { World } from '../fakes/world/world.ts';
import { openStore, recordName } from './parameter-store.ts';

function open(world?: World) {
  const store = openStore(world);
  const journal = createJournal({ ports: store.ports, parameter: recordName, runner: 'linux' });
  return { ...store, journal };
}

describe('the journal', () => {
  test('knows no record before the first write', async () => {
    const { journal, settle } = open();
    expect(await settle(journal.read())).toBeUndefined();
    expect(journal.version()).toBe(0);
    expect(() => journal.current()).toThrow('the record was not read');
  });

  test('writes, reads back and fences by the version', async () => {
    const { journal, settle } = open();
    await settle(journal.write(recordAt()));
    await settle(journal.write(recordAt({ phase: 'onboarded' })));
    expect(journal.version()).toBe(2);
    await settle(journal.fence());
    expect(await settle(journal.read())).toEqual(recordAt({ phase: 'onboarded' }));
  });

  test('reads the last record of a killed run after a takeover, although reads are outdated', async () => {
    const { world, journal, settle } = open();
    await settle(journal.write(recordAt()));
    await settle(journal.write(recordAt({ phase: 'onboarded' })));
    world.behaviour.staleForMs = 1500;
    const { journal: next, settle: settleNext } = open(world);
    next.ownedBy({ tookOver: true, record: 1, confirm: async () => {} });
    expect(await settleNext(next.read())).toEqual(recordAt({ phase: 'onboarded' }));
    await settleNext(next.fence());
    expect(next.version()).toBe(3);
  });

  test('waits once after a takeover, even if the first read is cut off', async () => {
    const { world, incarnation, journal, settle } = open();
    await settle(journal.write(recordAt()));
    journal.ownedBy({ tookOver: true, record: 1, confirm: async () => {} });
    const cancelled = { ...incarnation.ports.clock, sleep: () => Promise.reject(new Error('cut')) };
    const cut = journal.through({ ...incarnation.ports, clock: cancelled });
    await expect(cut.read()).rejects.toThrow('cut');
    const before = world.now;
    await settle(journal.read());
    expect(world.now).toBe(before);
  });

  test('reads without a wait under a lock that was free', async () => {
    const { world, journal, settle } = open();
    await settle(journal.write(recordAt()));
    const before = world.now;
    journal.ownedBy({ tookOver: false, record: 1, confirm: async () => {} });
    await settle(journal.read());
    expect(world.now).toBe(before);
  });

  test('stops at its fence once another process has written', async () => {
    const { journal, settle, write } = open();
    await settle(journal.write(recordAt()));
    write(recordName, '{"mine":1}');
    await expect(settle(journal.fence())).rejects.toMatchObject({
      code: 'ForeignWrite',
      fields: {
        why: [
          expect.any(String),
          'Value of the other writer (version 2 in the history): {"mine":1}',
        ],
      },
    });
  });

  test('continues at its fence if its own last write has arrived twice', async () => {
    const { journal, settle, write, textOf } = open();
    await settle(journal.write(recordAt()));
    write(recordName, textOf(recordName) ?? '');
    await settle(journal.fence());
    expect(journal.version()).toBe(2);
    await settle(journal.write(recordAt({ phase: 'onboarded' })));
    expect(journal.version()).toBe(3);
  });

  test('continues at its next write if the last one has arrived twice', async () => {
    const { journal, settle, faults } = open();
    faults.push({ kind: 'twice', answer: 'last' });
    await settle(journal.write(recordAt()));
    faults.push({ kind: 'twice', answer: 'first' });
    await settle(journal.write(recordAt({ phase: 'onboarded' })));
    await settle(journal.write(recordAt({ phase: 'applied' })));
    expect(journal.version()).toBe(4);
  });

  test('does not count its own concurrent writes as foreign', async () => {
    const { journal, settle, faults, textOf } = open();
    await settle(journal.write(recordAt()));
    faults.push({ kind: 'delay', beforeMs: 500, afterMs: 500 });
    const sides = [
      journal.write(recordAt({ phase: 'onboarded' })),
      journal.fence(),
      journal.write(recordAt({ phase: 'applied' })),
      journal.read(),
    ];
    await settle(Promise.all(sides));
    expect(journal.version()).toBe(3);
    expect(JSON.parse(textOf(recordName) ?? '').deployment.phase).toBe('applied');
  });

  test('continues after a failed write', async () => {
    const { journal, settle, faults } = open();
    faults.push({ kind: 'error_before', failure: 'denied' });
    const failed = expect(settle(journal.write(recordAt()))).rejects.toMatchObject({
      kind: 'denied',
    });
    await settle(journal.write(recordAt({ phase: 'onboarded' })));
    await failed;
    expect(journal.version()).toBe(1);
  });

  test('stops at its fence if its last write arrived again over another write', async () => {
    const { journal, settle, write, textOf } = open();
    await settle(journal.write(recordAt()));
    const ownText = textOf(recordName) ?? '';
    write(recordName, '{"mine":1}');
    write(recordName, ownText);
    await expect(settle(journal.fence())).rejects.toMatchObject({ code: 'ForeignWrite' });
  });

  test('stops at its fence once the record was deleted', async () => {
    const { journal, settle, world } = open();
    await settle(journal.write(recordAt()));
    delete world.parameters[recordName];
    await expect(settle(journal.fence())).rejects.toMatchObject({ code: 'ForeignWrite' });
  });

  test('stops at its fence if another record has the same version', async () => {
    const { journal, settle, write, world } = open();
    await settle(journal.write(recordAt()));
    delete world.parameters[recordName];
    write(recordName, '{"mine":1}');
    expect(world.parameters[recordName]?.versions.at(-1)?.version).toBe(1);
    await expect(settle(journal.fence())).rejects.toMatchObject({ code: 'ForeignWrite' });
  });

  test.each([
    ['nonsense', 'RecordInvalid'],
    ['{"schema":7}', 'RecordFromNewerVersion'],
  ])('refuses the record %s', async (text, code) => {
    const { journal, settle, write } = open();
    write(recordName, text);
    await expect(settle(journal.read())).rejects.toMatchObject({ code, exitCode: 3 });
  });

  test('gives every write a unique id', async () => {
    const { journal, settle, world } = open();
    await settle(journal.write(recordAt()));
    await settle(journal.write(recordAt()));
    const ids = world.parameters[recordName]?.versions.map(
      ({ value }) => JSON.parse(value).write_id,
    );
    expect(new Set(ids).size).toBe(2);
  });
});

describe('a hold', () => {
  const name = '/gitlab/dedicated/runner/linux/deployment_hold';

  test.each([
    ['by the command hold', '{"who":"deployer","why":"an incident","since":"now"}', 'an incident'],
    ['by hand, with any text', 'please wait for me', 'please wait for me'],
    ['by hand, with other JSON', '{"stop":true}', '{"stop":true}'],
  ])('holds the stack if it was set %s', async (_, text, why) => {
    const { settle, write, ports } = open();
    write(name, text);
    expect(await settle(readHold(ports.parameters, name))).toMatchObject({ why });
  });

  test('does not exist without a parameter', async () => {
    const { settle, ports } = open();
    expect(await settle(readHold(ports.parameters, name))).toBeUndefined();
  });
});

describe('the record under a lock', () => {
  const owned = { tookOver: false, record: 0, confirm: async () => {} };

  test('gets written once before the first effect after a takeover', async () => {
    const { journal, settle, ports } = open();
    const before = createJournal({ ports, parameter: recordName, runner: 'linux' });
    await settle(before.write(recordAt()));
    journal.ownedBy({ ...owned, tookOver: true });
    await settle(journal.read());
    await settle(journal.fence());
    await settle(journal.fence());
    expect(journal.version()).toBe(2);
    await expect(settle(before.fence())).rejects.toMatchObject({ code: 'ForeignWrite' });
  });

  test('must be as new as the last owner has seen it', async () => {
    const { journal, settle, world } = open();
    await settle(journal.write(recordAt()));
    await settle(journal.write(recordAt({ phase: 'onboarded' })));
    const later = open();
    later.world.parameters = world.parameters;
    later.world.now = world.now;
    later.world.behaviour.staleReads = 1;
    later.journal.ownedBy({ ...owned, record: 2 });
    expect(await later.settle(later.journal.read())).toEqual(recordAt({ phase: 'onboarded' }));
    expect(later.journal.seenVersion()).toBe(2);
  });

  test('cannot be written by a run that no longer owns the lock', async () => {
    const { journal, settle, textOf } = open();
    const lost = new Error('lost');
    journal.ownedBy({ ...owned, confirm: () => Promise.reject(lost) });
    await expect(settle(journal.write(recordAt()))).rejects.toBe(lost);
    expect(textOf(recordName)).toBeUndefined();
  });
});
