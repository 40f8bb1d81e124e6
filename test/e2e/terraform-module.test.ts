import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/program.ts';
import { describeWithTools } from '../support/tools.ts';
import { findMirror, writeMirrorConfiguration } from '../terraform/mirror.ts';

const run = promisify(execFile);

describeWithTools({ name: 'the reference module', needs: ['terraform'] }, (path) => {
  const mirror = findMirror();
  let folder: string;
  let cli: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'module-'));
    cpSync(join(root, 'terraform'), folder, { recursive: true });
    cli = writeMirrorConfiguration(mirror ?? folder);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(dirname(cli), { recursive: true, force: true });
  });

  async function terraform(...words: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], TF_CLI_CONFIG_FILE: cli, CHECKPOINT_DISABLE: '1' };
    const { stdout } = await run(path('terraform'), words, { cwd: folder, env });
    return stdout;
  }

  test('is formatted', async () => {
    expect(await terraform('fmt', '-check', '-recursive')).toBe('');
  });

  const withProvider = mirror === undefined ? describe.skip : describe;
  withProvider(
    `with the AWS provider${mirror === undefined ? ' (not found: a plugin mirror)' : ''}`,
    () => {
      test('is valid, and keeps its own tests', async () => {
        await terraform('init', '-backend=false', '-input=false');
        expect(JSON.parse(await terraform('validate', '-json'))).toMatchObject({
          valid: true,
          error_count: 0,
          warning_count: 0,
        });
        expect(await terraform('test', '-no-color')).toMatch(/Success! 11 passed, 0 failed\./);
      });
    },
  );
});
