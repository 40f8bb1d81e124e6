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

const files = ['terraform', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  ),
);
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const modules = [...new Set(files.filter((name) => name.endsWith('.tf')).map(dirname))].sort();

function textOf(folder: string): string {
  return files
    .filter((name) => name.endsWith('.tf') && dirname(name) === folder)
    .map(read)
    .join('\n');
}

/** Returns a third-party module, which only a registry provides. */
function foreignModule(folder: string): string | undefined {
  return /^\s*source\s*=\s*"([\w.-]+\/[\w-]+\/[\w-]+)"\s*\n\s*version\b/m.exec(textOf(folder))?.[1];
}

test('every folder with modules is found', () => {
  expect(modules).toEqual(
    expect.arrayContaining([
      'terraform',
      'terraform/modules/ec2',
      'terraform/examples/shard',
      'examples/terraform/cattle-ops',
    ]),
  );
});

test.each(files.filter((name) => name.endsWith('.tfvars')))(
  '%s sets variables that the root module has',
  (name) => {
    const declared = [...textOf('terraform/examples/shard').matchAll(/^variable "(\w+)"/gm)].map(
      ([, one]) => one,
    );
    const set = [...read(name).matchAll(/^(\w+)\s*=/gm)].map(([, one]) => one);
    expect(set).not.toEqual([]);
    expect(set.filter((one) => !declared.includes(one))).toEqual([]);
  },
);

describeWithTools({ name: 'the Terraform folders', needs: ['terraform'] }, (path) => {
  const mirror = findMirror();
  let folder: string;
  let cli: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'folders-'));
    for (const name of ['terraform', 'examples'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    cli = writeMirrorConfiguration(mirror ?? folder);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(dirname(cli), { recursive: true, force: true });
  });

  async function terraform(at: string, ...words: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], TF_CLI_CONFIG_FILE: cli, CHECKPOINT_DISABLE: '1' };
    const { stdout } = await run(path('terraform'), words, { cwd: join(folder, at), env });
    return stdout;
  }

  test.each(['terraform', 'examples'])('%s is formatted', async (at) => {
    expect(await terraform(at, 'fmt', '-check', '-recursive')).toBe('');
  });

  // Terraform itself checks names and types. Only a registry has the module.
  test('the example of another module fits its published variables', async () => {
    const example = join(folder, 'cattle-ops');
    mkdirSync(join(example, 'stand-in'), { recursive: true });
    writeFileSync(join(example, 'stand-in/variables.tf'), writeStandIn());
    const text = read('examples/terraform/cattle-ops/main.tf').replace(
      / {2}source {2}= .*\n {2}version = .*\n/,
      '  source = "./stand-in"\n',
    );
    writeFileSync(join(example, 'main.tf'), text);
    const at = 'cattle-ops';
    await terraform(at, 'init', '-backend=false', '-input=false');
    expect(JSON.parse(await terraform(at, 'validate', '-json'))).toMatchObject({
      valid: true,
      warning_count: 0,
    });
  });

  const withProvider = mirror === undefined ? test.skip : test;
  const absent = mirror === undefined ? ' (not found: a plugin mirror)' : '';
  withProvider(`the reference module keeps its own tests${absent}`, async () => {
    await terraform('terraform', 'init', '-backend=false', '-input=false');
    const tests = files.filter((name) => name.startsWith('terraform/tests/')).map(read);
    const runs = tests.join('\n').match(/^run "/gm) ?? [];
    expect(runs.length).toBeGreaterThan(20);
    expect(await terraform('terraform', 'test', '-no-color')).toContain(
      `Success! ${runs.length} passed, 0 failed.`,
    );
  });

  describe.each(modules)('%s', (at) => {
    const foreign = foreignModule(at);
    const missing = foreign ?? (mirror === undefined ? 'a plugin mirror' : undefined);
    const skipped = missing === undefined ? '' : ` (not found: ${missing})`;
    (skipped === '' ? test : test.skip)(`is valid${skipped}`, async () => {
      await terraform(at, 'init', '-backend=false', '-input=false');
      expect(JSON.parse(await terraform(at, 'validate', '-json'))).toMatchObject({
        valid: true,
        error_count: 0,
        ...(at === 'terraform' ? { warning_count: 0 } : {}),
      });
    });
  });
});
