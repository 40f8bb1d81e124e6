import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundledProgram, root, runProgram } from '../support/program.ts';
import { describeWithTools } from '../support/tools.ts';
import { type Running, startProgram, waitUntil } from './by-hand/world/running.ts';

let empty: string;
let program: string;
beforeAll(() => {
  empty = mkdtempSync(join(tmpdir(), 'bundle-alone-'));
  // The folder contains no package that the bundle could load.
  cpSync(dirname(bundledProgram), join(empty, 'dist'), { recursive: true });
  program = join(empty, 'dist/index.js');
});
afterAll(() => rmSync(empty, { recursive: true, force: true }));

describe('the bundle, alone in an empty folder, on the Node of the machine', () => {
  deploysAlone(() => process.execPath);
});

for (const node of ['node22', 'node24'] as const) {
  const name = `the bundle, alone in an empty folder, on ${node}`;
  describeWithTools({ name, needs: [node] }, (path) => deploysAlone(() => path(node)));
  // The V8 flags of the project's tools differ between versions.
  describeWithTools({ name: `the project's own tools, on ${node}`, needs: [node] }, (path) => {
    test.each([
      ['jest', ['unit', 'test/transport/loopback.test.ts']],
      ['simulate', ['--help']],
    ])('%s runs', async (tool, args) => {
      const script = join(root, `scripts/${tool}.js`);
      const { exitCode, stdout, stderr } = await runProgram({
        args,
        program: script,
        node: path(node),
      });
      expect({ exitCode, said: `${stdout}${stderr}` }).toEqual({
        exitCode: 0,
        said: expect.stringMatching(/1 passed|usage/i),
      });
    });
  });
}

function deploysAlone(node: () => string): void {
  test('starts a sandbox, deploys in it, and refuses a second sandbox', async () => {
    const cwd = mkdtempSync(join(empty, 'empty-'));
    const run = (args: readonly string[], env: Record<string, string> = {}) =>
      startProgram({
        args,
        env: { PATH: process.env['PATH'] ?? '', ...env },
        cwd,
        program,
        node: node(),
      });
    expect(await run(['deploy', '--help']).ended).toMatchObject({ exitCode: 0, stderr: '' });
    const sandbox = run(['sandbox', '--folder', 'world']);
    const exports = await readExports(sandbox);

    const second = await run(['sandbox', '--folder', 'world']).ended;
    expect(second).toMatchObject({ exitCode: 2, code: 'SandboxRunsAlready' });

    const deployed = await run(['deploy', '--runner', 'linux'], exports).ended;
    expect({ text: deployed.stderr, exitCode: deployed.exitCode }).toEqual({
      text: '',
      exitCode: 0,
    });
    const status = await run(['status', '--json'], exports).ended;
    expect(status.exitCode).toBe(0);
    expect(status.stdout).toContain('"phase": "done"');

    sandbox.kill('SIGTERM');
    expect(await sandbox.ended).toMatchObject({ exitCode: 0 });
    expect(readdirSync(cwd)).toEqual(['world']);
  });
}

/** Reads the variables that the sandbox prints for a terminal. */
async function readExports(sandbox: Running): Promise<Record<string, string>> {
  await waitUntil('it serves', async () => sandbox.text().includes('# Running') || undefined);
  const lines = sandbox.text().matchAll(/^export (\w+)=(?:'(.*)'|(.*))$/gm);
  return Object.fromEntries([...lines].map(([, name, quoted, bare]) => [name, quoted ?? bare]));
}
