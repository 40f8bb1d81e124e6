import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundledProgram, root, runProgram } from '../support/program.ts';
import { describeWithTools } from '../support/tools.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-alone-'));
  cpSync(dirname(bundledProgram), join(folder, 'dist'), { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the bundle, alone in an empty folder, on the Node of the machine', () => {
  standsAlone(() => process.execPath);
});

for (const node of ['node22', 'node24'] as const) {
  const name = `the bundle, alone in an empty folder, on ${node}`;
  describeWithTools({ name, needs: [node] }, (path) => standsAlone(() => path(node)));
  // The flags that we give to V8 are not the same everywhere.
  describeWithTools({ name: `the project's own tools, on ${node}`, needs: [node] }, (path) => {
    test.each([
      ['jest', ['unit', 'test/transport/loopback.test.ts']],
      ['simulate', ['--help']],
    ])('%s runs', async (tool, args) => {
      const program = join(root, `scripts/${tool}.js`);
      const { exitCode, stdout, stderr } = await runProgram({ args, program, node: path(node) });
      expect({ exitCode, said: `${stdout}${stderr}` }).toEqual({
        exitCode: 0,
        said: expect.stringMatching(/1 passed|usage/i),
      });
    });
  });
}

function standsAlone(node: () => string): void {
  test.each([{ args: ['--help'] }, { args: ['deploy', '--help'] }])(
    'explains itself: $args',
    async ({ args }) => {
      const ended = await run(args);
      expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
      expect(ended.stdout).toContain('hosted-runner');
    },
  );

  test('refuses an unknown command with exit code 2', async () => {
    const ended = await run(['provisoin']);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain('provision');
  });

  function run(args: string[]) {
    return runProgram({ args, node: node(), program: join(folder, 'dist/index.js'), cwd: folder });
  }
}
