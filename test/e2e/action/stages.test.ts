import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { whatIsWrongAtRest } from '../by-hand/world/at-rest.ts';
import { startHeldJob } from '../by-hand/world/held-job.ts';
import { openWorld, type World } from '../by-hand/world/world.ts';
import { type ActionEnd, type GitHub, notDrained, openGitHub } from './github.ts';

const linux = { runner_name: 'linux' };

let world: World;
let github: GitHub;
beforeEach(async () => {
  world = await openWorld();
  github = await openGitHub(world);
});
afterEach(async () => {
  await github.close();
  await world.close();
});

const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup', 'finalize'];

function saidOf({ exitCode, outputs, stderr }: ActionEnd) {
  return { exitCode, outcome: outputs['outcome'], stderr };
}

async function deploy(runId: string): Promise<Record<string, ActionEnd>> {
  const ends: Record<string, ActionEnd> = {};
  for (const stage of stages) {
    const end = await github.run({ runId, inputs: { stage, ...linux } });
    ends[stage] = end;
    const outcome = stage === 'finalize' ? 'nothing' : 'done';
    expect({ stage, ...saidOf(end) }).toEqual({ stage, exitCode: 0, outcome, stderr: '' });
  }
  return ends;
}

describe('the action, as GitHub starts it', () => {
  test('deploys stage by stage, says where things stand, and a second attempt does nothing', async () => {
    await deploy(github.createRun());
    const runId = github.createRun();
    const ends = await deploy(runId);
    const id = `acme/runners-${runId}`;
    expect(ends['prepare']?.outputs).toEqual({
      active_shard: 'pink',
      candidate: 'purple',
      retiring: 'pink',
      phase: 'prepared',
      deployment_id: id,
      outcome: 'done',
      exit_code: '0',
      ...notDrained,
    });
    expect(ends['provision']?.outputs).toMatchObject({ active_shard: 'purple', phase: 'promoted' });
    expect(ends['cleanup']?.outputs).toMatchObject({ phase: 'done', jobs_broken: '0' });
    const summary = ends['provision']?.summary ?? '';
    expect(summary).toContain('### Evidence of purple: healthy');
    expect(summary).toContain('```mermaid\ngantt');
    expect(whatIsWrongAtRest(world)).toEqual([]);
    for (const stage of stages) {
      const again = await github.run({ runId, attempt: 2, inputs: { stage, ...linux } });
      expect({ stage, ...saidOf(again) }).toEqual({
        stage,
        exitCode: 0,
        outcome: 'nothing',
        stderr: '',
      });
    }
  });

  test('masks every secret before it could be printed, and prints none of them', async () => {
    const ends = await deploy(github.createRun());
    const secrets = [
      world.environment['HOSTED_RUNNER_GITLAB_TOKEN'] ?? '',
      world.environment['AWS_SECRET_ACCESS_KEY'] ?? '',
    ];
    for (const [stage, { text, commands, summary, outputs }] of Object.entries(ends)) {
      const masked = commands.filter(({ name }) => name === 'add-mask').map((mask) => mask.text);
      expect({ stage, masked }).toEqual({ stage, masked: expect.arrayContaining(secrets) });
      const printed = text
        .split('\n')
        .filter((line) => !line.startsWith('::add-mask::'))
        .concat(summary, JSON.stringify(outputs))
        .join('\n');
      for (const secret of masked) expect(printed).not.toContain(secret);
    }
    const born = ends['onboard']?.commands.filter(
      ({ name, text }) => name === 'add-mask' && text.startsWith('glrt-'),
    );
    expect(born).toHaveLength(1);
  });

  test('folds its log and opens no group that it does not close', async () => {
    const { stdout } = await github.run({
      runId: github.createRun(),
      inputs: { stage: 'prepare', ...linux },
    });
    expect(stdout).toMatch(/^::group::prepare linux$/m);
    expect(stdout.match(/^::group::/gm)).toHaveLength(
      (stdout.match(/^::endgroup::/gm) ?? []).length,
    );
  });

  test('stops at healthy where an approval comes first, and promote goes on', async () => {
    await deploy(github.createRun());
    const runId = github.createRun();
    const run = (stage: string, inputs = {}) =>
      github.run({ runId, inputs: { stage, ...linux, ...inputs } });
    await run('prepare');
    await run('onboard');
    expect((await run('provision', { until: 'healthy' })).outputs).toMatchObject({
      active_shard: 'pink',
      phase: 'healthy',
    });
    expect((await run('promote')).outputs).toMatchObject({
      active_shard: 'purple',
      phase: 'promoted',
    });
    expect((await run('finalize')).outputs).toMatchObject({ phase: 'done', outcome: 'done' });
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });

  test('is a health check by default', async () => {
    await deploy(github.createRun());
    const end = await github.run({ runId: github.createRun(), inputs: { ...linux } });
    expect(saidOf(end)).toEqual({ exitCode: 0, outcome: 'done', stderr: '' });
    expect(end.summary).toContain('healthcheck linux: done');
    expect(end.stdout).toMatch(/^::group::healthcheck linux$/m);
  });
});

describe('an error', () => {
  test('is told once in the log, as an annotation and in the summary, with the outputs', async () => {
    const end = await github.run({
      runId: github.createRun(),
      inputs: { stage: 'shutdown', ...linux },
    });
    expect(end).toMatchObject({ exitCode: 2, code: 'NotPrepared' });
    expect(end.outputs).toMatchObject({ outcome: 'refused', exit_code: '2' });
    const errors = end.commands.filter(({ name }) => name === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.text).toContain('✖ shutdown: ');
    expect(end.summary).toContain('```text\n✖ shutdown: ');
    expect(end.stderr.match(/✖/g)).toHaveLength(1);
  });

  test.each([
    [{ stage: 'provisoin', ...linux }, 'The input stage is "provisoin", which is no stage.'],
    [{ stage: 'sandbox', ...linux }, 'The input stage is "sandbox", which is no stage.'],
    [
      { stage: 'prepare', runner_name: 'Linux; id' },
      '--runner "Linux; id" is not the name of a stack.',
    ],
    [
      { stage: 'prepare', ...linux, take_lock: 'yes' },
      'The input take_lock is neither true nor false.',
    ],
    [{ stage: 'prepare', ...linux, drain_timeuot: '2h' }, 'HOSTED_RUNNER_DRAIN_TIMEUOT'],
    [{ stage: 'prepare', ...linux, drain_timeout: '2' }, 'HOSTED_RUNNER_DRAIN_TIMEOUT'],
  ])('in the inputs %j touches nothing', async (inputs: Record<string, string>, words) => {
    const end = await github.run({ runId: github.createRun(), inputs });
    expect(end).toMatchObject({ exitCode: 2, outputs: { outcome: 'refused', exit_code: '2' } });
    expect(end.stderr).toContain(words);
    expect(end.commands.filter(({ name }) => name === 'error')).toHaveLength(1);
  });
});

describe('a drain that is longer than its job', () => {
  test('ends with 75 a margin before the deadline, and the next attempt goes on with it', async () => {
    await deploy(github.createRun());
    const runId = github.createRun();
    const run = (stage: string, inputs = {}) =>
      github.run({ runId, inputs: { stage, ...linux, ...inputs } });
    for (const stage of ['prepare', 'onboard']) await run(stage);
    const job = await startHeldJob(world);
    expect((await run('provision')).outputs).toMatchObject({ active_shard: 'purple' });
    // The job began an hour before this step, and a minute is kept for the last words.
    const job_started_at = new Date(Date.now() - 3_600_000).toISOString();
    const early = await run('shutdown', { job_timeout: '61m', job_started_at });
    expect(early).toMatchObject({ exitCode: 75, code: 'StillDraining' });
    expect(early.outputs).toMatchObject({ outcome: 'unfinished', phase: 'draining' });
    expect(job.status()).toBe('running');
    job.release();
    expect((await run('finalize')).outputs).toMatchObject({ outcome: 'done', phase: 'done' });
    expect(job.status()).toBe('success');
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });
});

describeWithTools({ name: 'the Node of the action', needs: ['node24'] }, (path) => {
  test('deploys with it', async () => {
    const runId = github.createRun();
    const how = { runId, node: path('node24') };
    for (const stage of ['prepare', 'onboard', 'provision']) {
      const end = await github.run({ ...how, inputs: { stage, ...linux } });
      expect({ stage, ...saidOf(end) }).toEqual({
        stage,
        exitCode: 0,
        outcome: 'done',
        stderr: '',
      });
    }
  });
});

describe('two workflow runs', () => {
  test('a newer one waits for the older, and adopts what it left when it has ended', async () => {
    await deploy(github.createRun());
    const older = github.createRun();
    for (const stage of ['prepare', 'onboard'])
      await github.run({ runId: older, inputs: { stage, ...linux } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const newer = github.createRun();
    const prepare = () => github.run({ runId: newer, inputs: { stage: 'prepare', ...linux } });
    const waiting = await prepare();
    expect(waiting).toMatchObject({ exitCode: 75, code: 'DeploymentBusy' });
    expect(waiting.outputs).toMatchObject({ outcome: 'unfinished', exit_code: '75' });
    expect(waiting.commands.filter(({ name }) => name === 'error')).toEqual([]);
    github.setRun(older, { status: 'completed', conclusion: 'cancelled' });
    expect((await prepare()).outputs).toMatchObject({
      outcome: 'done',
      candidate: 'purple',
      deployment_id: `acme/runners-${newer}`,
    });
  });
});

test('the report is written where it was asked for, also by a run that fails', async () => {
  const inputs = { ...linux, report_dir: 'hosted-runner-report' };
  const runId = github.createRun();
  await github.run({ runId, inputs: { ...inputs, stage: 'prepare' } });
  const folder = join(world.folder, 'hosted-runner-report');
  const files = 'annotations.json deployment.env evidence.jsonl junit.xml timeline.html';
  expect(readdirSync(folder).sort().join(' ')).toBe(files);
  const failed = await github.run({ runId, inputs: { ...inputs, stage: 'promote' } });
  expect(failed.exitCode).toBe(2);
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('type="StageOutOfOrder"');
  expect(readFileSync(join(folder, 'deployment.env'), 'utf8')).toContain(
    'HOSTED_RUNNER_OUTCOME=refused\n',
  );
  // Variables of deployment.env reach later jobs, ours included.
  const dotenv = readFileSync(join(folder, 'deployment.env'), 'utf8').trim().split('\n');
  const environment = Object.fromEntries(dotenv.map((line) => line.split('=') as [string, string]));
  const later = await github.run({ runId, inputs: { ...inputs, stage: 'prepare' }, environment });
  expect(saidOf(later)).toMatchObject({ exitCode: 0, outcome: 'nothing' });
  expect(existsSync(join(folder, 'junit.xml.new'))).toBe(false);
});
