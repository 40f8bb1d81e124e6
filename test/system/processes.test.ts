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
}): Machine {
  const { pid = 42, boot = 'b1', namespace = '40', platform = 'linux' } = fields;
  const startedAt: Record<number, string> = fields.startedAt ?? { 42: '1000' };
  const stat = (id: number) => {
    const started = startedAt[id];
    if (started === undefined) return undefined;
    const state = fields.zombies?.includes(id) ? 'Z' : 'S';
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

test('on this machine: we live, and a child that was killed does not', async () => {
  const own = systemMachine({ hostname: 'here' });
  const table = createProcessTable(own);
  expect(table.isAlive(table.self)).toBe('alive');
  if (process.platform !== 'linux') return;
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const childName = createProcessTable({ ...own, pid: child.pid ?? 0 }).self;
  expect(table.isAlive(childName)).toBe('alive');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  expect(table.isAlive(childName)).toBe('dead');
});
