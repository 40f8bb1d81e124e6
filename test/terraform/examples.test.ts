import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { load, loadStack } from '../config/loading.ts';
import { root } from '../support/program.ts';

const read = (name: string) => readFileSync(join(root, name, 'hosted-runners.yml'), 'utf8');

test.each([
  ['terraform/examples/shard', 'terraform'],
  ['examples/terraform/cattle-ops', 'terraform'],
  ['examples/terraform/command', 'command'],
])('the example %s is valid and deploys with %s', async (name, driver) => {
  const text = read(name);
  expect((await load({ text })).warnings).toEqual([]);
  expect((await loadStack({ text })).infrastructure.driver).toBe(driver);
});

test('the example with all settings is read unchanged', async () => {
  expect((await load()).warnings).toEqual([]);
});
