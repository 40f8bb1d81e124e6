import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunnerName, Shard } from '../../../src/domain/shard.ts';
import { failureOf } from '../../support/failure-of.ts';
import { collect, openWorkshop, type Workshop } from '../workshop.ts';
import { captured } from './judging.ts';

/** Does as Terraform does, from a captured plan; `failing` ends a command without a word. */
const standIn = (plan: string, calls: string) => `#!/bin/sh
echo "$*" >> '${calls}'
[ -e "failing-$1" ] && exit 1
case "$1" in
  version) cat version 2>/dev/null || echo '{"terraform_version": "1.9.0"}' ;;
  plan) for word; do case "$word" in -out=*) echo saved > "\${word#-out=}" ;; esac; done ;;
  show) cat '${plan}'
    for word; do case "$word" in */plan) [ -e meddled ] && echo other > "$word" ;; esac; done
    exit 0 ;;
esac
`;

const pink = { runnerName: 'linux' as RunnerName, shard: 'pink' as Shard };
const purple = { ...pink, shard: 'purple' as Shard };
let workshop: Workshop;
let calls: string;

beforeEach(() => {
  workshop = openWorkshop();
  calls = join(workshop.folder, 'calls');
});
afterEach(() => workshop.close());

function openWith(
  name: string,
  backendConfig: readonly string[] = [],
  variables: readonly string[] = [],
) {
  const bin = join(workshop.folder, 'bin');
  mkdirSync(bin);
  const plan = join(workshop.folder, 'plan.json');
  writeFileSync(plan, JSON.stringify(captured(name)));
  writeFileSync(join(bin, 'terraform'), standIn(plan, calls));
  chmodSync(join(bin, 'terraform'), 0o755);
  return workshop.open({
    settings: { backendConfig, variables, workspace: '{runner_name}-{shard}' },
    environment: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  });
}

const applies = () =>
  readFileSync(calls, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('apply '));

const saved = () =>
  readdirSync(workshop.folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes('saved-plan'),
  );

describe('a plan', () => {
  test('is carried out once', async () => {
    const driver = openWith('first-build');
    const plan = await driver.plan(pink);
    await collect(driver.apply(pink, plan));
    expect(await failureOf(collect(driver.apply(pink, plan)))).toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: 'it was not made in this run for this shard',
    });
    expect(applies()).toHaveLength(1);
  });

  test('is carried out for the shard that it was made for', async () => {
    const driver = openWith('first-build');
    const plan = await driver.plan(pink);
    expect(await failureOf(collect(driver.apply(purple, plan)))).toMatchObject({
      kind: 'refused',
      source: 'the plan of purple',
    });
    expect(existsSync(calls) && applies()).toEqual([]);
  });

  test('lies on the disk only while Terraform writes it, reads it or carries it out', async () => {
    const driver = openWith('first-build');
    const plan = await driver.plan(pink);
    expect(saved()).toEqual([]);
    await collect(driver.apply(pink, plan));
    expect(saved()).toEqual([]);
  });

  test('that touches the other shard never comes to apply', async () => {
    const driver = openWith('both-shards');
    await expect(driver.plan(pink)).rejects.toMatchObject({ code: 'PlanRefused' });
    expect(applies()).toEqual([]);
  });

  test('that somebody changes while it is judged never comes to apply', async () => {
    workshop.write('meddled', '');
    const driver = openWith('first-build');
    const built = async () => collect(driver.apply(pink, await driver.plan(pink)));
    await expect(built()).rejects.toMatchObject({ code: 'PlanChanged' });
    expect(applies()).toEqual([]);
  });

  test('that does not replace what was named is refused', async () => {
    const driver = openWith('new-revision');
    await expect(driver.plan(pink, { replace: ['terraform_data.network'] })).rejects.toMatchObject({
      code: 'PlanRefused',
    });
  });
});

test('an apply that fails without a word has failed, and may have changed something', async () => {
  const driver = openWith('first-build');
  const plan = await driver.plan(pink);
  workshop.write('failing-apply', '');
  expect(await failureOf(collect(driver.apply(pink, plan)))).toMatchObject({
    effect: 'unknown',
    source: 'terraform apply',
    detail: 'exit code 1',
  });
});

test('a plan that fails without a word has changed nothing', async () => {
  const driver = openWith('first-build');
  workshop.write('failing-plan', '');
  expect(await failureOf(driver.plan(pink))).toMatchObject({
    effect: 'none',
    source: 'terraform plan',
    detail: 'exit code 1',
  });
});

test('without a backend that keeps the shards apart nothing is planned', async () => {
  const driver = openWith('first-build', ['key={runner_name}-{shard}']);
  await expect(driver.plan(pink)).rejects.toMatchObject({ code: 'TerraformStateShared' });
});

test.each(['{"terraform_version": "1.4.9"}', '{"terraform_version": "x"}', '{}'])(
  'a Terraform that is older than its plans can be judged, or does not say, plans nothing: %s',
  async (version) => {
    const driver = openWith('first-build');
    workshop.write('version', version);
    await expect(driver.plan(pink)).rejects.toMatchObject({ code: 'TerraformTooOld' });
  },
);

test('what a shell would carry out is handed to Terraform as it is', async () => {
  const odd = 'x=$(touch carried-out); touch carried-out | touch carried-out `touch carried-out`';
  const driver = openWith('first-build', [], [odd]);
  await driver.plan(pink);
  expect(readFileSync(calls, 'utf8')).toContain(`-var=${odd}`);
  expect(readdirSync(workshop.folder)).not.toContain('carried-out');
});
