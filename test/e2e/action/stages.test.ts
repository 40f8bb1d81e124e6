import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { whatIsWrongAtRest } from '../by-hand/world/at-rest.ts';
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

function pickResult({ exitCode, outputs, stderr }: ActionEnd) {
  return { exitCode, outcome: outputs['outcome'], stderr };
}

async function deploy(runId: string): Promise<Record<string, ActionEnd>> {
  const ends: Record<string, ActionEnd> = {};
  for (const stage of stages) {
    const end = await github.run({ runId, inputs: { stage, ...linux } });
    ends[stage] = end;
    const outcome = stage === 'finalize' ? 'nothing' : 'done';
    expect({ stage, ...pickResult(end) }).toEqual({ stage, exitCode: 0, outcome, stderr: '' });
  }
  return ends;
}

describe('the action, as GitHub starts it', () => {
  test('deploys stage by stage, reports the state, and a second attempt does nothing', async () => {
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
      expect({ stage, ...pickResult(again) }).toEqual({
        stage,
        exitCode: 0,
        outcome: 'nothing',
        stderr: '',
      });
    }
  });

  test('masks every secret before any output, and prints none of them', async () => {
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

  test('runs a health check by default', async () => {
    await deploy(github.createRun());
    const end = await github.run({ runId: github.createRun(), inputs: { ...linux } });
    expect(pickResult(end)).toEqual({ exitCode: 0, outcome: 'done', stderr: '' });
    expect(end.summary).toContain('healthcheck linux: done');
    expect(end.stdout).toMatch(/^::group::healthcheck linux$/m);
  });
});

describe('an error of the action', () => {
  test('appears once in the log, as an annotation and in the summary, with the outputs', async () => {
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
});

describeWithTools({ name: 'the Node of the action', needs: ['node24'] }, (path) => {
  test('deploys a stack with this Node', async () => {
    const runId = github.createRun();
    const how = { runId, node: path('node24') };
    for (const stage of ['prepare', 'onboard', 'provision']) {
      const end = await github.run({ ...how, inputs: { stage, ...linux } });
      expect({ stage, ...pickResult(end) }).toEqual({
        stage,
        exitCode: 0,
        outcome: 'done',
        stderr: '',
      });
    }
  });
});

describe('two workflow runs', () => {
  test('the newer run waits for the older one, and then adopts its candidate', async () => {
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
