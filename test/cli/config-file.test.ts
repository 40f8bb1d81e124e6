import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openFolder, withCancel } from '../../src/cli/starting/folder.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-file-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function problemsOf(path: string): Promise<readonly string[]> {
  try {
    await loadConfiguration({ files: openFolder(folder), path, environment: {} });
    return [];
  } catch (error) {
    if (error instanceof DeployError) return error.fields.why ?? [];
    throw error;
  }
}

test('a pipe without a writer is refused, without a wait', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(await problemsOf('pipe')).toEqual(['pipe: the file cannot be read (not a regular file)']);
});

test.each(['/dev/zero', '/dev/null'])('a device is refused: %s', async (path) => {
  expect(await problemsOf(path)).toEqual([`${path}: the file cannot be read (not a regular file)`]);
});

test('a folder is refused with its own error, which proposes no correction of its contents', async () => {
  const loading = loadConfiguration({
    files: openFolder(folder),
    path: '.',
    environment: {},
  });
  await expect(loading).rejects.toMatchObject({
    exitCode: 2,
    fields: {
      what: 'The configuration . is a directory, not a file.',
      fix: ['Name a file in this directory: --config FILE, or HOSTED_RUNNER_CONFIG'],
    },
  });
});

test('a file in UTF-16 is refused with the encoding’s name', async () => {
  writeFileSync(join(folder, 'encoded'), Buffer.from('\ufeffversion: 1\n', 'utf16le'));
  expect(await problemsOf('encoded')).toEqual([
    'encoded:1:1: the file is not UTF-8 text; an editor may have saved it as UTF-16, or it is another type of file',
  ]);
});

test('a new file whose text could not be written is removed', async () => {
  // Models a full disk: the file exists when its text is refused.
  const fullDisk = (async function* () {
    yield 'version: ';
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  })() as unknown as string;
  const { write } = openFolder(folder);
  const unlucky = write({ path: 'new.yml', text: fullDisk, overwrite: false });
  await expect(unlucky).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await write({ path: 'new.yml', text: 'version: 1\n', overwrite: false })).toBe(true);
  expect(await write({ path: 'new.yml', text: '', overwrite: false })).toBe(false);
});

test('a signal ends reading a file system that hangs', async () => {
  const controller = new AbortController();
  const hangs = () => new Promise<never>(() => {});
  const hanging = {
    check: hangs,
    read: hangs,
    realPath: hangs,
    write: hangs,
    replace: hangs,
    remove: hangs,
    makeDirectory: hangs,
    list: hangs,
  };
  const files = withCancel(hanging, controller.signal);
  const loading = loadConfiguration({
    files,
    path: 'hosted-runners.yml',
    environment: {},
  });
  const reason = new Error('received SIGTERM');
  controller.abort(reason);
  await expect(loading).rejects.toBe(reason);
});

const foreign: readonly [string, string][] = [
  ['/etc/passwd', 'root:x:0:0:a person:/root:/bin/bash\nalice:x:1000:1000::/home/alice:/bin/sh\n'],
  ['an .env', 'PASSWORD=hunter2-hunter2\nexport KEY=`hunter2`\n'],
  ['a key', '-----BEGIN SOMETHING-----\nhunter2hunter2\n@hunter2\n'],
  ['credentials of AWS', '[default]\naws_secret_access_key = hunter2hunter2\n'],
  ['JSON of another program', '{"type": "service_account", "hunter2": "hunter2"}'],
  ['a string', 'hunter2'],
  ['a list', '- hunter2\n- *hunter2\n'],
  ['YAML with tags', '!hunter2 {hunter2: &hunter2 1, hunter2: 2}\n'],
  ['quotes that never end', 'a: "hunter2\nb: \'hunter2\n'],
  ['another document', 'hunter2: 1\n---\nhunter2: 2\n'],
];

test.each(foreign)(
  'an error about a file that is no configuration quotes none of it: %s',
  async (_, text) => {
    writeFileSync(join(folder, 'foreign'), text);
    const problems = await problemsOf('foreign');
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^foreign:1:1: the file is not a configuration: it has none of the keys version, defaults and stacks$/,
    );
  },
);

test('the time to validate grows in proportion to the number of stacks', async () => {
  const validate = async (count: number) => {
    const stacks = Array.from({ length: count }, (_, index) => `  s${index}: {}\n`).join('');
    writeFileSync(
      join(folder, 'many.yml'),
      `version: 1
defaults:
  gitlab: {url: https://gitlab.example.com}
  registration: {scope: instance, tags: [linux]}
  infrastructure: {apply: [./up, "{shard}"], destroy: [./down, "{shard}"]}
stacks:
${stacks}`,
    );
    const begun = process.cpuUsage();
    expect(await problemsOf('many.yml')).toEqual([]);
    const { user } = process.cpuUsage(begun);
    return user;
  };
  await validate(500);
  const few = await validate(800);
  const many = await validate(8000);
  // Ten times as many entries. Quadratic time would be a hundred times as long.
  expect(many / few).toBeLessThan(40);
});
