import { expect, test } from '@jest/globals';
import { read } from '../structure/tree.ts';

const run = read('.ci/run');

/** Tools of `test/support/tools.ts` without a package in Debian, and their sources. */
const fromElsewhere: Readonly<Record<string, string>> = {
  node22: 'node22@npm:node@22',
  node24: 'node24@npm:node@24',
  moto_server: 'moto[server]==',
};
/**
 * These two are not installed: HashiCorp and GitLab distribute them, and the CI files install
 * Terraform.
 */
const notInstalled = ['terraform', 'gitlab-runner'];

test('.ci/run installs each program that a suite may need, except for two', () => {
  const [, table = ''] =
    /const tools = \{\n([\s\S]*?)\n\} satisfies/.exec(read('test/support/tools.ts')) ?? [];
  const tools = [...table.matchAll(/^ {2}'?([\w-]+)'?: \{/gm)].map(([, name = '']) => name);
  expect(tools.length).toBeGreaterThan(10);
  const missing = tools.filter(
    (tool) =>
      !notInstalled.includes(tool) &&
      !run.includes(fromElsewhere[tool] ?? ` ${tool}:`) &&
      !run.includes(fromElsewhere[tool] ?? `(${tool}:`),
  );
  expect(missing).toEqual([]);
});

test('.ci/run installs the shells for the tests of host scripts', () => {
  const shells = [...read('test/aws/scripts/shells.ts').matchAll(/'\/bin\/(\w+)'/g)];
  const names = shells.map(([, name = '']) => name);
  expect(names).toEqual(['dash', 'bash', 'busybox']);
  // `.ci/run` itself is a bash script.
  for (const name of ['dash', 'busybox']) expect(run).toContain(` ${name}:`);
});
