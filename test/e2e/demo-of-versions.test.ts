import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { bundledProgram, runProgram } from '../support/program.ts';
import { conclusiveChecks, waitsForName } from './demo-texts.ts';

// The demo without a version plays the newest GitLab.
test.each(['17.5', '18.7'])(
  'the demo on GitLab %s loses and interrupts no job',
  async (version) => {
    const folder = mkdtempSync(join(tmpdir(), 'demo-of-version-'));
    try {
      const { exitCode, stdout } = await runProgram({
        args: ['demo', '--all', '--verbose', '--gitlab-version', version],
        program: bundledProgram,
        cwd: folder,
        env: { TMPDIR: folder },
        timeoutMs: 800_000,
      });
      expect(stdout).toContain(`The simulated GitLab behaves like version ${version}.`);
      expect(stdout).toContain('✔ No job was lost or interrupted');
      expect(stdout).not.toMatch(waitsForName);
      expect(stdout).toMatch(conclusiveChecks);
      expect(exitCode).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
