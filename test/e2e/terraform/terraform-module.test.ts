import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '../../support/program.ts';
import { describeWithTools } from '../../support/tools.ts';
import { findMirror, writeMirrorConfiguration } from '../../terraform/mirror.ts';
import { writeStandIn } from '../../terraform/module/cattle-ops.ts';

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

  // Terraform's own word on names and types; the module itself comes from a registry.
  test('the example of another module fits the variables that are published of it', async () => {
    const example = join(dirname(cli), 'cattle-ops');
    mkdirSync(join(example, 'stand-in'), { recursive: true });
    writeFileSync(join(example, 'stand-in/variables.tf'), writeStandIn());
    const source = readFileSync(join(root, 'examples/terraform/cattle-ops/main.tf'), 'utf8');
    const text = source.replace(
      / {2}source {2}= .*\n {2}version = .*\n/,
      '  source = "./stand-in"\n',
    );
    writeFileSync(join(example, 'main.tf'), text);
    const chdir = `-chdir=${example}`;
    await terraform(chdir, 'init', '-backend=false', '-input=false');
    expect(JSON.parse(await terraform(chdir, 'validate', '-json'))).toMatchObject({
      valid: true,
      warning_count: 0,
    });
    expect(await terraform('fmt', '-check', '-recursive', join(root, 'examples'))).toBe('');
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
        const tests = join(root, 'terraform/tests');
        const files = readdirSync(tests).map((name) => readFileSync(join(tests, name), 'utf8'));
        const runs = files.join('\n').match(/^run "/gm) ?? [];
        expect(runs.length).toBeGreaterThan(20);
        expect(await terraform('test', '-no-color')).toContain(
          `Success! ${runs.length} passed, 0 failed.`,
        );
      });
    },
  );
});
