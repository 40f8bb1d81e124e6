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
import { captured } from './plan-verdicts.ts';

/**
 * Returns a stand-in for Terraform that uses a captured plan. `failing` ends a command without
 * output.
 */
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

describe('a saved plan', () => {
  test('applies once', async () => {
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

  test('applies only to the shard that it was made for', async () => {
    const driver = openWith('first-build');
    const plan = await driver.plan(pink);
    expect(await failureOf(collect(driver.apply(purple, plan)))).toMatchObject({
      kind: 'refused',
      source: 'the plan of purple',
    });
    expect(existsSync(calls) && applies()).toEqual([]);
  });

  test('exists on disk only while Terraform writes, reads or applies it', async () => {
    const driver = openWith('first-build');
    const plan = await driver.plan(pink);
    expect(saved()).toEqual([]);
    await collect(driver.apply(pink, plan));
    expect(saved()).toEqual([]);
  });

  test('never reaches apply if it touches the other shard', async () => {
    const driver = openWith('both-shards');
    await expect(driver.plan(pink)).rejects.toMatchObject({ code: 'PlanRefused' });
    expect(applies()).toEqual([]);
  });

  test('never reaches apply if it changes during the check', async () => {
    workshop.write('meddled', '');
    const driver = openWith('first-build');
    const built = async () => collect(driver.apply(pink, await driver.plan(pink)));
    await expect(built()).rejects.toMatchObject({ code: 'PlanChanged' });
    expect(applies()).toEqual([]);
  });

  test('causes a refusal if it lacks the requested replacement', async () => {
    const driver = openWith('new-revision');
    await expect(driver.plan(pink, { replace: ['terraform_data.network'] })).rejects.toMatchObject({
      code: 'PlanRefused',
    });
  });
});

test('an apply that fails without output counts as failed with an unknown effect', async () => {
  const driver = openWith('first-build');
  const plan = await driver.plan(pink);
  workshop.write('failing-apply', '');
  expect(await failureOf(collect(driver.apply(pink, plan)))).toMatchObject({
    effect: 'unknown',
    source: 'terraform apply',
    detail: 'exit code 1',
  });
});

test('a plan that fails without output has changed nothing', async () => {
  const driver = openWith('first-build');
  workshop.write('failing-plan', '');
  expect(await failureOf(driver.plan(pink))).toMatchObject({
    effect: 'none',
    source: 'terraform plan',
    detail: 'exit code 1',
  });
});

test('a backend that does not separate the shards prevents the plan', async () => {
  const driver = openWith('first-build', ['key={runner_name}-{shard}']);
  await expect(driver.plan(pink)).rejects.toMatchObject({ code: 'TerraformStateShared' });
});

test.each(['{"terraform_version": "1.4.9"}', '{"terraform_version": "x"}', '{}'])(
  'a Terraform of an unknown or too old version prevents the plan: %s',
  async (version) => {
    const driver = openWith('first-build');
    workshop.write('version', version);
    await expect(driver.plan(pink)).rejects.toMatchObject({ code: 'TerraformTooOld' });
  },
);

test('shell characters reach Terraform unchanged', async () => {
  const odd = 'x=$(touch carried-out); touch carried-out | touch carried-out `touch carried-out`';
  const driver = openWith('first-build', [], [odd]);
  await driver.plan(pink);
  expect(readFileSync(calls, 'utf8')).toContain(`-var=${odd}`);
  expect(readdirSync(workshop.folder)).not.toContain('carried-out');
});
