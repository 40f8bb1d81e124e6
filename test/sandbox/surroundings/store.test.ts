import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { openFolder } from '../../../sandbox/surroundings/store.ts';

let folder: string;
beforeEach(() => {
  jest.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'store-'));
});
afterEach(() => {
  jest.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

test('a saved document is written soon', () => {
  const store = openFolder(folder);
  store.save('world', { jobs: 1 });
  jest.advanceTimersByTime(1000);
  expect(JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8'))).toEqual({ jobs: 1 });
  store.close();
});

test('a save after the end is not written, because the folder may be gone', () => {
  const store = openFolder(folder);
  store.save('world', { jobs: 1 });
  store.close();
  rmSync(folder, { recursive: true });
  store.save('world', { jobs: 2 });
  jest.advanceTimersByTime(1000);
  expect(existsSync(folder)).toBe(false);
});

test('an incomplete key, as after a full disk, is replaced, and a complete one stays', () => {
  writeFileSync(join(folder, 'key'), '');
  const sealed = openFolder(folder).seal('secret');
  expect(openFolder(folder).open(sealed)).toBe('secret');
});
