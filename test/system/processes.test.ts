import { spawn } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import {
  createProcessTable,
  type Machine,
  systemMachine,
} from '../../src/adapters/system/processes.ts';

/** Creates a machine with only these processes, with `startedAt` by pid. */
function machine(fields: {
  pid?: number;
  boot?: string;
  namespace?: string;
  startedAt?: Record<number, string>;
  platform?: string;
  zombies?: readonly number[];
  stopped?: readonly number[];
  /** States that `ps` reports. */
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
  test('gets its name from boot, namespace, pid and start', () => {
    expect(other).toBe('linux:b1:40:7:500');
  });

  test.each<[string, Parameters<typeof machine>[0], string]>([
    ['lives', { startedAt: { 42: '1', 7: '500' } }, 'alive'],
    ['has ended', { startedAt: { 42: '1' } }, 'dead'],
    ['has ended and its pid is used again', { startedAt: { 42: '1', 7: '900' } }, 'dead'],
    ['has ended as a zombie', { startedAt: { 42: '1', 7: '500' }, zombies: [7] }, 'dead'],
    ['ran before a reboot or elsewhere', { boot: 'b2' }, 'unknown'],
    ['runs in another container', { namespace: '41' }, 'unknown'],
    ['cannot be looked up on this system', { platform: 'darwin' }, 'unknown'],
  ])('counts, if it %s, as %s', (_, fields, expected) => {
    expect(createProcessTable(machine(fields)).isAlive(other)).toBe(expected);
  });

  test.each(['', 'linux', 'linux:b1:40:x:500', 'darwin:host:7'])(
    'counts as unknown with the name %j',
    (name) => {
      expect(createProcessTable(machine({})).isAlive(name)).toBe('unknown');
    },
  );

  test('knows only itself on another system', () => {
    const table = createProcessTable(machine({ platform: 'darwin' }));
    expect(table.self).toBe('darwin:host:42');
    expect(table.isAlive(table.self)).toBe('alive');
    expect(table.isAlive('darwin:host:43')).toBe('unknown');
  });
});

describe('the location of a process for an operator', () => {
  const startedAt = { 42: '1', 7: '500' };
  const found = (fields: Parameters<typeof machine>[0], name = other) =>
    createProcessTable(machine(fields)).find(name);

  test('shows its number, and whether it is stopped', () => {
    expect(found({ startedAt })).toEqual({ pid: 7, isStopped: false });
    expect(found({ startedAt, stopped: [7] })).toEqual({ pid: 7, isStopped: true });
  });

  test('does not exist once it has ended, or on another machine', () => {
    expect(found({ startedAt: { 7: '900' } })).toBeUndefined();
    expect(found({ startedAt, boot: 'b2' })).toBeUndefined();
  });

  test('shows only its number if nothing proves the identity', () => {
    const elsewhere = { platform: 'darwin', states: { 43: 'T+', 44: 'Ss' } };
    expect(found(elsewhere, 'darwin:host:43')).toEqual({ pid: 43, isStopped: true });
    expect(found(elsewhere, 'darwin:host:44')).toEqual({ pid: 44, isStopped: false });
    expect(found(elsewhere, 'darwin:host:45')).toBeUndefined();
    expect(found(elsewhere, 'darwin:other:43')).toBeUndefined();
  });
});

test('this process is alive on the real machine, and a killed child is not', async () => {
  const own = systemMachine({ hostname: 'here' });
  const table = createProcessTable(own);
  expect(table.isAlive(table.self)).toBe('alive');
  if (process.platform !== 'linux') return;
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const childName = createProcessTable({ ...own, pid: child.pid ?? 0 }).self;
  expect(table.isAlive(childName)).toBe('alive');
  child.kill('SIGSTOP');
  // The signal takes a moment to arrive.
  while (table.find(childName)?.isStopped === false) await new Promise(setImmediate);
  expect(table.find(childName)).toEqual({ pid: child.pid, isStopped: true });
  child.kill('SIGCONT');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  expect(table.isAlive(childName)).toBe('dead');
});
