import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createFaults } from '../../../sandbox/faults.ts';
import { createSandboxClock } from '../../../sandbox/surroundings/clock.ts';
import { seededRandom, systemRandom } from '../../../sandbox/surroundings/random.ts';
import { openFolder } from '../../../sandbox/surroundings/store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-world-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the store', () => {
  test('writes the latest document at a flush, complete, for its owner only', () => {
    const store = openFolder(folder);
    const document = { hosts: ['one'] };
    store.save('hosts', document);
    document.hosts.push('two');
    store.close();
    expect(openFolder(folder).load('hosts')).toEqual({ hosts: ['one', 'two'] });
    expect(statSync(join(folder, 'hosts.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['hosts.json', 'key']);
  });

  test('returns nothing for an unsaved name, and names a file that it cannot read', () => {
    const store = openFolder(folder);
    expect(store.load('hosts')).toBeUndefined();
    writeFileSync(join(folder, 'hosts.json'), '{');
    expect(() => store.load('hosts')).toThrow(`${join(folder, 'hosts.json')} cannot be read: `);
    expect(() => store.load('../hosts')).toThrow('"../hosts" names no document.');
  });

  test('opens its own sealed texts after a restart, and no others', () => {
    const sealed = openFolder(folder).seal('glpat-secret');
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('glpat');
    expect(openFolder(folder).open(sealed)).toBe('glpat-secret');
    expect(statSync(join(folder, 'key')).mode & 0o777).toBe(0o600);
    expect(() => openFolder(folder).open(`AAAA${sealed.slice(4)}`)).toThrow();
  });
});

describe('the sandbox clock', () => {
  test('stays ahead after a restart and never moves backwards', () => {
    const store = openFolder(folder);
    const clock = createSandboxClock({ store, realNow: () => 1000 });
    clock.advance(500);
    store.close();
    expect(createSandboxClock({ store: openFolder(folder), realNow: () => 2000 }).now()).toBe(2500);
    expect(() => clock.advance(-1)).toThrow(
      "The sandbox's clock moves forward only, not by -1 ms.",
    );
  });
});

describe('faults', () => {
  const effect = { kind: 'reset_before' } as const;

  test('match calls in the order in which they were added, as often as configured', () => {
    const faults = createFaults(seededRandom(1));
    faults.add({
      id: 'two',
      service: 'ssm',
      match: { operation: 'PutParameter' },
      effect,
      times: 2,
    });
    faults.add({ id: 'all', service: 'ssm', effect });
    const put = { service: 'ssm', operation: 'PutParameter' } as const;
    const picked = [put, { ...put, operation: 'GetParameter' }, put, put].map(
      (call) => faults.pick(call)?.id,
    );
    expect(picked).toEqual(['two', 'all', 'two', 'all']);
    expect(faults.pick({ service: 'gitlab' })).toBeUndefined();
    expect(faults.list().map(({ id }) => id)).toEqual(['all']);
  });

  test('match a method in any case, and a path by a regular expression', () => {
    const faults = createFaults(seededRandom(1));
    faults.add({
      id: 'a',
      service: 'gitlab',
      match: { method: 'put', path: '/runners/\\d+$' },
      effect,
    });
    const pick = (method: string, path: string) =>
      faults.pick({ service: 'gitlab', method, path })?.id;
    expect([
      pick('PUT', '/api/v4/runners/7'),
      pick('GET', '/api/v4/runners/7'),
      pick('PUT', '/api/v4/runners/all'),
    ]).toEqual(['a', undefined, undefined]);
    expect(() => faults.add({ id: 'b', service: 'gitlab', match: { path: '(' }, effect })).toThrow(
      SyntaxError,
    );
  });

  test('match with the configured probability', () => {
    const faults = createFaults(seededRandom(1));
    faults.add({ id: 'a', service: 'gitlab', effect, probability: 0.25 });
    const strikes = Array.from({ length: 1000 }, () => faults.pick({ service: 'gitlab' }));
    const share = strikes.filter((fault) => fault !== undefined).length / 1000;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.3);
  });
});

describe('the random source', () => {
  test('repeats only for the same seed', () => {
    expect(seededRandom(1).hex(8)).toBe(seededRandom(1).hex(8));
    expect(seededRandom(1).hex(8)).not.toBe(seededRandom(2).hex(8));
    expect(systemRandom().hex(4)).toMatch(/^[0-9a-f]{8}$/);
    expect(Math.floor(systemRandom().fraction())).toBe(0);
  });
});
