import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { hostFiles } from '../../terraform/module/stand-in-host.ts';
import { renderGitHubUserData, renderUserData } from '../../terraform/module/user-data.ts';

const scripts = readdirSync(hostFiles, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.sh'),
);

describeWithTools({ name: "shellcheck over the host's scripts", needs: ['shellcheck'] }, (path) => {
  function check(...args: string[]): string {
    const { stdout, stderr } = spawnSync(path('shellcheck'), ['-f', 'gcc', ...args], {
      encoding: 'utf8',
    });
    return stdout + stderr;
  }

  test.each(scripts)('finds nothing in %s', (name) => {
    expect(check(join(hostFiles, name))).toBe('');
  });

  test.each([
    ['gitlab-runner', renderUserData],
    ["GitHub's runner", renderGitHubUserData],
  ])('finds nothing in the filled-in user data of %s', (_, render) => {
    const folder = mkdtempSync(join(tmpdir(), 'user-data-'));
    try {
      const file = join(folder, 'user-data.sh');
      writeFileSync(file, render());
      expect(check(file)).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('finds a planted mistake', () => {
    const folder = mkdtempSync(join(tmpdir(), 'faulty-'));
    try {
      const file = join(folder, 'faulty.sh');
      const text = readFileSync(join(hostFiles, 'prepare-runner.sh'), 'utf8');
      writeFileSync(file, `${text}\nrm -rf $folder/$missing\n`);
      expect(check(file)).toContain('SC2154');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
