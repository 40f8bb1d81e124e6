import { describe, expect, test } from '@jest/globals';
import { at } from '../../broken-stacks/state.ts';
import { pink, purple, stackSettings } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { activeShard, hostsOf } from '../../fakes/world/shards.ts';
import { ownId } from '../../stages/reach.ts';
import { type } from '../doctor/examine.ts';

test.each(['cleanup', 'terminate', 'rerun', 'auto'])(
  'recover --method %s names the command that finishes the deployment from the promotion on',
  async (method) => {
    const world = await at('promoted', () => {});
    const ending = await type(
      world,
      `hosted-runner recover --runner linux --method ${method} --yes`,
    );
    expect(ending).toMatchObject({
      phase: 'promoted',
      error: { code: 'CannotRecover', exitCode: 1 },
    });
    expect(ending.log.filter((line) => line.startsWith('Chose '))).toEqual([]);
    const fix = (ending.kind === 'error' && ending.error.fields.fix) || [];
    expect(fix).toEqual([
      'Finish the deployment: hosted-runner finalize --runner linux',
      'Diagnose the stack: hosted-runner doctor --runner linux',
    ]);
    expect(await type(world, 'hosted-runner finalize --runner linux')).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
  },
);

test.each([
  ['draining, idle', 'draining'],
  ['drained', 'drained'],
] as const)(
  'recover at %s rebuilds nothing of the retiring shard and keeps the record',
  async (place, phase) => {
    const world = await at(place, (broken) => {
      broken.stacks = broken.stacks.map((stack) => ({
        ...stack,
        infrastructure: { ...stack.infrastructure, driver: 'terraform' } as never,
      }));
    });
    const line = 'hosted-runner recover --runner linux --method replace --yes';
    expect(await type(world, line)).toMatchObject({ phase, error: { code: 'CannotRecover' } });
    expect(await type(world, 'hosted-runner finalize --runner linux')).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
  },
);

test('recover names a rollback that works if the promoted shard cannot accept jobs', async () => {
  const world = await at('promoted', (broken) => {
    for (const host of hostsOf(broken, stackSettings(), purple))
      terminateHost(broken, host, 'world');
  });
  const ending = await type(world, 'hosted-runner recover --runner linux --method auto --yes');
  expect(ending).toMatchObject({ error: { code: 'CannotRecover', exitCode: 1 } });
  const { fix, why } = (ending.kind === 'error' && ending.error.fields) || {};
  expect(why?.[0]).toMatch(
    /^Deployment \S+ is in phase promoted, .* active shard purple cannot accept jobs: /,
  );
  expect(fix?.[0]).toBe('Make pink active again: hosted-runner rollback --runner linux');
  expect(await type(world, 'hosted-runner rollback --runner linux')).toMatchObject({
    kind: 'done',
  });
  expect(activeShard(world, stackSettings())).toBe(pink);
});

test('a deploy that finished an older deployment reports it and names the command for a new one', async () => {
  const world = await at('promoted', () => {});
  const line = 'hosted-runner deploy --runner linux';
  const ending = await type(world, line);
  expect(ending).toMatchObject({
    kind: 'done',
    phase: 'done',
    text: expect.stringMatching(
      /^deployment \S+ \(candidate purple\) is finished; the candidate was promoted before this run, which built nothing new; to build a new shard: hosted-runner deploy --runner linux$/,
    ),
  });
  expect(await type(world, line)).toMatchObject({
    text: expect.stringMatching(/^deployment \S+ \(candidate pink\) is finished$/),
  });
});

test('a deploy that switched the status itself reports no earlier switch', async () => {
  const world = await at('promoting', () => {});
  expect(await type(world, 'hosted-runner deploy --runner linux')).toMatchObject({
    kind: 'done',
    phase: 'done',
    text: expect.stringMatching(/^deployment \S+ \(candidate purple\) is finished$/),
  });
});

test.each(['gitlab', 'github'] as const)(
  'a deploy of %s that finished an older deployment names a new pipeline as the next step',
  async (ci) => {
    const world = await at('promoted', () => {});
    const drive = { ci, deploymentId: ownId, jobId: 'deploy 2' };
    const ending = await type(world, 'hosted-runner deploy --runner linux', { drive });
    expect(ending).toMatchObject({
      kind: 'done',
      phase: 'done',
      text: `deployment ${ownId} (candidate purple) is finished; the candidate was promoted before this job, which only finished the deployment; start a new pipeline to deploy again`,
    });
  },
);

describe('a recovery in promoting', () => {
  const rerun = 'hosted-runner recover --method rerun --runner linux';

  test('checks the candidate again and finishes its promotion, without an apply', async () => {
    const world = await at('promoting', () => {});
    const ending = await type(world, rerun);
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(ending.log).toContain(
      'Then provision checks purple again, and finishes its promotion if it is healthy',
    );
    expect(ending.log).toContain('Checking purple: its promotion started but did not finish.');
    expect(ending.log.filter((line) => /^(?:Applied|Planned)/.test(line))).toEqual([]);
    expect(activeShard(world, world.stacks[0] as never)).toBe(purple);
  });

  test('refuses to remove a candidate that accepts jobs, and names the rerun', async () => {
    const world = await at('promoting', () => {});
    const ending = await type(world, 'hosted-runner recover --method cleanup --runner linux');
    expect(ending).toMatchObject({ phase: 'promoting', error: { code: 'CannotRecover' } });
    expect(ending.kind === 'error' && ending.error.fields.fix?.[0]).toMatch(
      /^Use rerun, .*--method rerun/,
    );
  });
});
