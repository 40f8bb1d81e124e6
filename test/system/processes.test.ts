import { spawn } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import {
  createProcessTable,
  type Machine,
  systemMachine,
} from '../../src/adapters/system/processes.ts';

/** A machine of which only these processes live; `startedAt` by pid. */
function machine(fields: {
  pid?: number;
  boot?: string;
  namespace?: string;
  startedAt?: Record<number, string>;
  platform?: string;
  zombies?: readonly number[];
  stopped?: readonly number[];
  /** What `ps` says, where it is asked. */
  states?: Record<number, string>;
}): Machine {
  const { pid = 42, boot = 'b1', namespace = '40', platform = 'linux' } = fields;
  const startedAt: Record<number, string> = fields.startedAt ?? { 42: '1000' };
  const stat = (id: number) => {
    const started = startedAt[id];
    if (started === undefined) return undefined;
    const living = fields.stopped?.includes(id) ? 'T' : 'S';
    const state = fields.zombies?.includes(id) ? 'Z' : living;
    return `${id} (a ) name) ${state} ${Array.from({ length: 18 }, () => '0').join(' ')} ${started} 0\n`;
  };
  return {
    platform,
    hostname: 'host',
    pid,
    read(file) {
      if (file === '/proc/sys/kernel/random/boot_id') return `${boot}\n`;
      return stat(Number(/^\/proc\/(\d+)\/stat$/.exec(file)?.[1]));
    },
    link: () => `pid:[${namespace}]`,
    stateOf: (id) => fields.states?.[id],
  };
}

const other = createProcessTable(machine({ pid: 7, startedAt: { 7: '500' } })).self;

describe('a process', () => {
  test('is named by boot, namespace, pid and start', () => {
    expect(other).toBe('linux:b1:40:7:500');
  });

  test.each<[string, Parameters<typeof machine>[0], string]>([
    ['lives', { startedAt: { 42: '1', 7: '500' } }, 'alive'],
    ['has ended', { startedAt: { 42: '1' } }, 'dead'],
    ['has ended and its pid is used again', { startedAt: { 42: '1', 7: '900' } }, 'dead'],
    ['has ended and nobody asked', { startedAt: { 42: '1', 7: '500' }, zombies: [7] }, 'dead'],
    ['ran before a reboot or elsewhere', { boot: 'b2' }, 'unknown'],
    ['runs in another container', { namespace: '41' }, 'unknown'],
    ['cannot be looked up on this system', { platform: 'darwin' }, 'unknown'],
  ])('that %s is %s', (_, fields, expected) => {
    expect(createProcessTable(machine(fields)).isAlive(other)).toBe(expected);
  });

  test.each(['', 'linux', 'linux:b1:40:x:500', 'darwin:host:7'])('called %j is unknown', (name) => {
    expect(createProcessTable(machine({})).isAlive(name)).toBe('unknown');
  });

  test('of another system knows itself only', () => {
    const table = createProcessTable(machine({ platform: 'darwin' }));
    expect(table.self).toBe('darwin:host:42');
    expect(table.isAlive(table.self)).toBe('alive');
    expect(table.isAlive('darwin:host:43')).toBe('unknown');
  });
});

describe('where a person finds a process', () => {
  const startedAt = { 42: '1', 7: '500' };
  const found = (fields: Parameters<typeof machine>[0], name = other) =>
    createProcessTable(machine(fields)).find(name);

  test('is by its number, with whether it is stopped', () => {
    expect(found({ startedAt })).toEqual({ pid: 7, isStopped: false });
    expect(found({ startedAt, stopped: [7] })).toEqual({ pid: 7, isStopped: true });
  });

  test('is nowhere once it has ended, or on another machine', () => {
    expect(found({ startedAt: { 7: '900' } })).toBeUndefined();
    expect(found({ startedAt, boot: 'b2' })).toBeUndefined();
  });

  test('is by its number alone where nothing proves that it is the same', () => {
    const elsewhere = { platform: 'darwin', states: { 43: 'T+', 44: 'Ss' } };
    expect(found(elsewhere, 'darwin:host:43')).toEqual({ pid: 43, isStopped: true });
    expect(found(elsewhere, 'darwin:host:44')).toEqual({ pid: 44, isStopped: false });
    expect(found(elsewhere, 'darwin:host:45')).toBeUndefined();
    expect(found(elsewhere, 'darwin:other:43')).toBeUndefined();
  });
});

test('on this machine: we live, and a child that was killed does not', async () => {
  const own = systemMachine({ hostname: 'here' });
  const table = createProcessTable(own);
  expect(table.isAlive(table.self)).toBe('alive');
  if (process.platform !== 'linux') return;
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const childName = createProcessTable({ ...own, pid: child.pid ?? 0 }).self;
  expect(table.isAlive(childName)).toBe('alive');
  child.kill('SIGSTOP');
  // The signal is on its way for a moment.
  while (table.find(childName)?.isStopped === false) await new Promise(setImmediate);
  expect(table.find(childName)).toEqual({ pid: child.pid, isStopped: true });
  child.kill('SIGCONT');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  expect(table.isAlive(childName)).toBe('dead');
});
