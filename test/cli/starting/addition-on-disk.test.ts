import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openFolder } from '../../../src/cli/starting/folder.ts';
import { initialise } from '../../../src/cli/starting/init.ts';
import type { RunnerName } from '../../../src/domain/shard.ts';
import { refusal } from '../../config/loading.ts';

const path = 'hosted-runners.yml';

describe('init --stack in a folder on disk', () => {
  const text = 'version: 1\nstacks:\n  linux: {}\n';
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'addition-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const add = (config = path) => {
    const surroundings = {
      folder: openFolder(root),
      environment: {},
      write: () => {},
      show: () => {},
    };
    const stacks = ['arm' as RunnerName];
    return initialise({ config, stacks, force: false, color: true }, surroundings);
  };

  test('replaces the file, keeps its mode and leaves no other file', async () => {
    writeFileSync(join(root, path), text, { mode: 0o640 });
    expect(await add()).toBe(0);
    expect(readFileSync(join(root, path), 'utf8').startsWith(`${text}  arm:\n`)).toBe(true);
    expect(readdirSync(root)).toEqual([path]);
    expect(statSync(join(root, path)).mode & 0o777).toBe(0o640);
  });

  test('refuses a symbolic link', async () => {
    writeFileSync(join(root, 'real.yml'), text);
    symlinkSync('real.yml', join(root, path));
    const error = await refusal(() => add());
    expect(error?.fields.what).toBe(
      'hosted-runners.yml cannot be written (it leads through a symbolic link).',
    );
    expect(readFileSync(join(root, 'real.yml'), 'utf8')).toBe(text);
  });

  test('removes new files again if the configuration cannot be written', async () => {
    const surroundings = {
      folder: openFolder(root),
      environment: {},
      write: () => {},
      show: () => {},
    };
    const options = { force: false, color: true, terraform: true };
    await initialise(options, surroundings);
    const before = readdirSync(join(root, 'infrastructure'));
    rmSync(join(root, path));
    writeFileSync(join(root, 'real.yml'), text);
    symlinkSync('real.yml', join(root, path));
    expect((await refusal(() => add()))?.code).toBe('BadUsage');
    expect(readdirSync(join(root, 'infrastructure'))).toEqual(before);
  });

  test('keeps the old text and no draft if the new text cannot be written', async () => {
    writeFileSync(join(root, path), text);
    const fullDisk = (function* () {
      yield 'version: ';
      throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
    })() as unknown as string;
    await expect(openFolder(root).replace({ path, text: fullDisk })).rejects.toMatchObject({
      code: 'ENOSPC',
    });
    expect(readdirSync(root)).toEqual([path]);
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  });

  test('refuses a directory in place of the file', async () => {
    const error = await refusal(() => add('.'));
    expect(error?.code).toBe('ConfigurationMissing');
  });
});
