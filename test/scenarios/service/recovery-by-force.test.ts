import { describe, expect, test } from '@jest/globals';
import { emptyWorld, pink, purple, worldWithActive } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { hostsOf, isAcceptingJobs } from '../../fakes/world/shards.ts';
import type { Ending } from '../../stages/drive.ts';
import { openScene } from '../scene.ts';
import { end, hang, minute, openPromoted as openWithLongJob, pause, stackOf } from './promoted.ts';

const recovery = 'hosted-runner recover --runner linux --although-nothing-serves --yes';

function printed(ending: Ending): readonly string[] {
  const fix = ending.kind === 'error' ? (ending.error.fields.fix ?? []) : [];
  return fix.filter((line) => line.includes('--although-nothing-serves'));
}

describe('a candidate in quarantine without a job', () => {
  test('can be removed in a first deployment', async () => {
    const world = emptyWorld({ behaviour: { boots: { 'pink-linux': ['fails_jobs'] } } });
    const scene = openScene(world);
    await scene.type('prepare');
    for (const _ of [1, 2]) expect(printed(await scene.type('provision'))).toEqual([]);
    expect(await scene.type('recover cleanup')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
    expect(isAcceptingJobs(world, stackOf(world), pink)).toBe(true);
  });

  test('can be removed beside an active shard without a machine', async () => {
    const world = worldWithActive(pink, {
      behaviour: { boots: { 'purple-linux': ['fails_jobs'] } },
    });
    const scene = openScene(world);
    await scene.type('prepare');
    end(world, pink);
    for (const _ of [1, 2]) expect(printed(await scene.type('provision'))).toEqual([]);
    expect(await scene.type('recover cleanup')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
    expect(isAcceptingJobs(world, stackOf(world), purple)).toBe(true);
  });
});

describe('two shards that cannot accept jobs', () => {
  async function openPromoted(intercept?: Intercept) {
    const world = worldWithActive(pink);
    const scene = openScene(world, intercept);
    for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
    return { world, scene };
  }

  test('allow the removal of the old one by a typed command after the switch, and the next deployment builds it', async () => {
    const { world, scene } = await openPromoted();
    end(world, pink);
    end(world, purple);
    expect(printed(await scene.type('finalize'))).toEqual([
      `If pink cannot accept jobs either, remove it: ${recovery}`,
    ]);
    const taken = await scene.type('recover although');
    expect(taken).toMatchObject({ kind: 'done', phase: 'done' });
    expect(taken.log).toContain('Stack linux, shard pink, runner 48213');
    expect(taken.log).toContain('Affects instances: none; jobs: none is listed, on its hosts: 0');
    expect(taken.log.filter((line) => line.startsWith('! Continuing although'))).toEqual([
      '! Continuing although no shard is verified: runner 48213 of pink has production tags.',
    ]);
    expect(await scene.type('deploy', { deploymentId: '1-300' })).toMatchObject({ phase: 'done' });
    expect(isAcceptingJobs(world, stackOf(world), pink)).toBe(true);
  });

  test('allow the removal of the candidate by a typed command after a failed rollback, and it is rebuilt', async () => {
    const { world, scene } = await openPromoted();
    for (const host of hostsOf(world, stackOf(world), pink))
      host.workloadFault = 'docker: no space left on device';
    end(world, purple);
    const rolled = await scene.type('rollback');
    expect([rolled.phase, ...printed(rolled)]).toEqual(['promoting']);
    end(world, pink);
    const again = await scene.type('rollback');
    expect(again.kind === 'error' && again.error.fields.fix).toEqual([
      `If pink cannot accept jobs either, remove it: ${recovery}`,
      'Diagnose the stack: hosted-runner doctor --runner linux',
    ]);
    expect(again.log.filter((line) => line.startsWith('! '))).toEqual([
      '! pink is left as it is and accepts no jobs: no machine of pink exists: Systems Manager lists no responding host, the infrastructure still exists, and EC2 reports: i-0abc0000000000001 is terminated. The candidate is not removed (no retreat): no machine of purple exists: Systems Manager lists no responding host, the infrastructure still exists, and EC2 reports: i-0abc0000000000002 is terminated.',
    ]);
    const terminal = { ci: 'terminal', deploymentId: 'terminal-1' } as const;
    expect(await scene.type('recover although', terminal)).toMatchObject({
      kind: 'done',
      phase: 'promoted',
    });
    expect(await scene.type('finalize', terminal)).toMatchObject({ phase: 'done' });
    expect(isAcceptingJobs(world, stackOf(world), pink)).toBe(true);
  });

  test.each([0, 1])(
    'allow a removal if one of them dies during its activation, even in a second run (%s died)',
    async (deaths) => {
      let left = deaths;
      const { world, scene } = await openPromoted(({ port, method }) => {
        if (left === 0 || port !== 'infrastructure' || method !== 'destroy') return undefined;
        left -= 1;
        return { kind: 'crash_after' };
      });
      end(world, pink);
      scene.simulation.at(1000, (then) => end(then, purple));
      const terminal = (id: string) => ({ ci: 'terminal', deploymentId: id }) as const;
      left = 0;
      const activated = await scene.type('activate purple', terminal('terminal-1'));
      expect(activated).toMatchObject({
        phase: 'promoting',
        error: { code: 'HealthcheckTimedOut' },
      });
      expect(activated.kind === 'error' && activated.error.fields.fix).toEqual([
        `If pink cannot accept jobs either, remove it: ${recovery}`,
        'Diagnose the stack: hosted-runner doctor --runner linux',
      ]);
      left = deaths;
      const taken = await scene.type('recover although', terminal('terminal-2'));
      if (deaths > 0) {
        expect(taken).toMatchObject({ kind: 'killed', phase: 'retreating' });
        await scene.type('recover although', terminal('terminal-3'));
      } else
        expect(taken.log).toContain(
          'Swapped the roles of the shards: purple is active and does not accept jobs, so pink is rebuilt to replace it.',
        );
      expect(await scene.type('finalize', terminal('terminal-4'))).toMatchObject({ phase: 'done' });
      expect(isAcceptingJobs(world, stackOf(world), pink)).toBe(true);
      expect(await scene.rest()).toEqual([]);
    },
  );

  test('allow no activation, and the printed commands lead to the removal', async () => {
    const { world, scene } = await openPromoted();
    end(world, pink);
    end(world, purple);
    const activated = await scene.type('activate purple', {
      ci: 'terminal',
      deploymentId: 'terminal-1',
    });
    expect(activated).toMatchObject({ phase: 'promoted', error: { code: 'CannotActivate' } });
    const way = `If pink cannot accept jobs either, remove it: ${recovery}`;
    expect(activated.kind === 'error' && activated.error.fields.fix?.[0]).toBe(way);
    expect(printed(await scene.type('finalize'))).toEqual([way]);
  });

  test('lead to no claim that a reopened shard whose host hangs takes the jobs', async () => {
    const { scene } = await openWithLongJob();
    scene.simulation.at(10 * minute, (then) => {
      hang(then, pink);
      end(then, purple);
    });
    const { log } = await scene.type('shutdown');
    expect(log.find((line) => line.startsWith('! REOPENED pink'))).toMatch(
      /Customer jobs go to runner 48213 of pink, but none of its hosts reports that it accepts them\.$/,
    );
  });

  test('lead to no printed activation of a shard without a machine after two reopenings', async () => {
    const { world, scene } = await openWithLongJob();
    for (const _ of [1, 2]) {
      scene.simulation.at(10 * minute, (then) => pause(then, purple, true));
      expect(await scene.type('shutdown')).toMatchObject({ error: { code: 'ServiceLost' } });
      pause(world, purple, false);
    }
    end(world, pink);
    end(world, purple);
    const stopped = await scene.type('shutdown');
    expect(stopped).toMatchObject({ error: { code: 'OpenedAgainTwice' } });
    expect(stopped.kind === 'error' && stopped.error.fields.fix).toEqual([
      'Diagnose the stack: hosted-runner doctor --runner linux',
      `If pink cannot accept jobs either, remove it: ${recovery}`,
    ]);
    expect(await scene.type('recover although')).toMatchObject({ kind: 'done', phase: 'done' });
  });

  test('cannot be removed while one of them accepts jobs', async () => {
    const { world, scene } = await openPromoted();
    end(world, purple);
    expect(printed(await scene.type('finalize'))).toEqual([]);
    const ending = await scene.type('recover although');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'CannotRecover' } });
    expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toMatch(
      /^Pink accepts jobs: runner/,
    );
    expect(isAcceptingJobs(world, stackOf(world), pink)).toBe(true);
  });
});
