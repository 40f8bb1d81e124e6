import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RunnerName, Shard } from '../../../src/domain/shard.ts';
import { openWorkshop, type Workshop } from '../workshop.ts';
import { captured } from './judging.ts';

/** Plans what a captured file says, and leaves a mark where it was told to apply. */
const standIn = (plan: string, mark: string) => `#!/bin/sh
case "$1" in
  version) echo '{"terraform_version": "1.9.0"}' ;;
  plan) for word; do case "$word" in -out=*) echo saved > "\${word#-out=}" ;; esac; done ;;
  show) cat '${plan}'
    for word; do case "$word" in */plan) [ -e meddled ] && echo other > "$word" ;; esac; done
    exit 0 ;;
  apply) : > '${mark}' ;;
esac
`;

const pink = { runnerName: 'linux' as RunnerName, shard: 'pink' as Shard };
let workshop: Workshop;
let mark: string;

beforeEach(() => {
  workshop = openWorkshop();
  mark = join(workshop.folder, 'applied');
});
afterEach(() => workshop.close());

function openWith(name: string) {
  const bin = join(workshop.folder, 'bin');
  mkdirSync(bin);
  const plan = join(workshop.folder, 'plan.json');
  writeFileSync(plan, JSON.stringify(captured(name)));
  writeFileSync(join(bin, 'terraform'), standIn(plan, mark));
  chmodSync(join(bin, 'terraform'), 0o755);
  return workshop.open({
    settings: { backendConfig: [], workspace: '{runner_name}-{shard}' },
    environment: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  });
}

async function build(name: string): Promise<void> {
  const driver = openWith(name);
  for await (const _ of driver.apply(pink, await driver.plan(pink)));
}

test('a plan of this shard alone is handed to apply', async () => {
  await build('first-build');
  expect(existsSync(mark)).toBe(true);
});

test('a plan that touches the other shard never comes to apply', async () => {
  await expect(build('both-shards')).rejects.toMatchObject({ code: 'PlanRefused' });
  expect(existsSync(mark)).toBe(false);
});

test('a plan that somebody changes while it is judged never comes to apply', async () => {
  workshop.write('meddled', '');
  await expect(build('first-build')).rejects.toMatchObject({ code: 'PlanChanged' });
  expect(existsSync(mark)).toBe(false);
});
