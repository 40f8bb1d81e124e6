import { describe, expect, test } from '@jest/globals';
import { emptyWorld, pink, purple, worldWithActive } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { hostsOf, isServing } from '../../fakes/world/serving.ts';
import type { Ending } from '../../stages/drive.ts';
import { openScene } from '../scene.ts';
import { end, hang, minute, openPromoted as openWithLongJob, pause, stackOf } from './promoted.ts';

const wayOut = 'hosted-runner recover --runner linux --although-nothing-serves --yes';

function printed(ending: Ending): readonly string[] {
  const fix = ending.kind === 'error' ? (ending.error.fields.fix ?? []) : [];
  return fix.filter((line) => line.includes('--although-nothing-serves'));
}

describe('a candidate in quarantine that runs no job is not protected', () => {
  test('of a first deployment', async () => {
    const world = emptyWorld({ behaviour: { boots: { 'pink-linux': ['fails_jobs'] } } });
    const scene = openScene(world);
    await scene.type('prepare');
    for (const _ of [1, 2]) expect(printed(await scene.type('provision'))).toEqual([]);
    expect(await scene.type('recover cleanup')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
    expect(isServing(world, stackOf(world), pink)).toBe(true);
  });

  test('beside an active shard whose machine is gone', async () => {
    const world = worldWithActive(pink, {
      behaviour: { boots: { 'purple-linux': ['fails_jobs'] } },
    });
    const scene = openScene(world);
    await scene.type('prepare');
    end(world, pink);
    for (const _ of [1, 2]) expect(printed(await scene.type('provision'))).toEqual([]);
    expect(await scene.type('recover cleanup')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
    expect(isServing(world, stackOf(world), purple)).toBe(true);
  });
});

describe('two shards that cannot serve', () => {
  async function openPromoted(intercept?: Intercept) {
    const world = worldWithActive(pink);
    const scene = openScene(world, intercept);
    for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
    return { world, scene };
  }

  test('after the switch the old one is retired by a word, and the next deployment builds it', async () => {
    const { world, scene } = await openPromoted();
    end(world, pink);
    end(world, purple);
    expect(printed(await scene.type('finalize'))).toEqual([
      `Take pink away although no shard serves: ${wayOut}`,
    ]);
    const taken = await scene.type('recover although');
    expect(taken).toMatchObject({ kind: 'done', phase: 'done' });
    expect(taken.log).toContain('Stack linux, shard pink, runner 48213');
    expect(taken.log).toContain('Touches instances: none; jobs: none is listed, on its hosts: 0');
    expect(taken.log.filter((line) => line.startsWith('! Going on although'))).toEqual([
      '! Going on although no shard is proven to serve: runner 48213 of pink has production tags.',
    ]);
    expect(await scene.type('deploy', { deploymentId: '1-300' })).toMatchObject({ phase: 'done' });
    expect(isServing(world, stackOf(world), pink)).toBe(true);
  });

  test('after a rollback that failed the candidate is taken by a word, and built anew', async () => {
    const { world, scene } = await openPromoted();
    for (const host of hostsOf(world, stackOf(world), pink))
      host.workloadFault = 'docker: no space left on device';
    end(world, purple);
    const rolled = await scene.type('rollback');
    expect([rolled.phase, ...printed(rolled)]).toEqual(['promoting']);
    end(world, pink);
    const again = await scene.type('rollback');
    expect(again.kind === 'error' && again.error.fields.fix).toEqual([
      `Take pink away although no shard serves: ${wayOut}`,
      'Look at everything: hosted-runner doctor --runner linux',
    ]);
    expect(again.log.filter((line) => line.startsWith('! '))).toEqual([
      '! pink is left as it is, and it serves nobody: no machine of pink exists any more: Systems Manager has none that answers, the infrastructure is present, EC2 says: i-0abc0000000000001 is terminated. It is not taken back: no machine of purple exists any more: Systems Manager has none that answers, the infrastructure is present, EC2 says: i-0abc0000000000002 is terminated.',
    ]);
    const terminal = { ci: 'terminal', deploymentId: 'terminal-1' } as const;
    expect(await scene.type('recover although', terminal)).toMatchObject({
      kind: 'done',
      phase: 'promoted',
    });
    expect(await scene.type('finalize', terminal)).toMatchObject({ phase: 'done' });
    expect(isServing(world, stackOf(world), pink)).toBe(true);
  });

  test.each([0, 1])(
    'one that dies while it is activated: the other one is taken, also by a second run (%s died)',
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
        `Take pink away although no shard serves: ${wayOut}`,
        'Look at everything: hosted-runner doctor --runner linux',
      ]);
      left = deaths;
      const taken = await scene.type('recover although', terminal('terminal-2'));
      if (deaths > 0) {
        expect(taken).toMatchObject({ kind: 'killed', phase: 'retreating' });
        await scene.type('recover although', terminal('terminal-3'));
      } else
        expect(taken.log).toContain(
          'Turned the deployment around: purple is active and does not serve, and pink is built anew in its place.',
        );
      expect(await scene.type('finalize', terminal('terminal-4'))).toMatchObject({ phase: 'done' });
      expect(isServing(world, stackOf(world), pink)).toBe(true);
      expect(await scene.rest()).toEqual([]);
    },
  );

  test('neither is activated, and what is printed leads to the word', async () => {
    const { world, scene } = await openPromoted();
    end(world, pink);
    end(world, purple);
    const activated = await scene.type('activate purple', {
      ci: 'terminal',
      deploymentId: 'terminal-1',
    });
    expect(activated).toMatchObject({ phase: 'promoted', error: { code: 'CannotActivate' } });
    const way = `Take pink away although no shard serves: ${wayOut}`;
    expect(activated.kind === 'error' && activated.error.fields.fix?.[0]).toBe(way);
    expect(printed(await scene.type('finalize'))).toEqual([way]);
  });

  test('does not claim that a reopened shard whose host hangs takes the jobs', async () => {
    const { scene } = await openWithLongJob();
    scene.simulation.at(10 * minute, (then) => {
      hang(then, pink);
      end(then, purple);
    });
    const { log } = await scene.type('shutdown');
    expect(log.find((line) => line.startsWith('! OPENED pink AGAIN'))).toMatch(
      /Customers' jobs go to runner 48213 of pink, and no host of it says that it takes them\.$/,
    );
  });

  test('after two openings nobody is told to activate a shard that has no machine', async () => {
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
      `Take pink away although no shard serves: ${wayOut}`,
    ]);
    expect(await scene.type('recover although')).toMatchObject({ kind: 'done', phase: 'done' });
  });

  test('are not taken while one of them serves', async () => {
    const { world, scene } = await openPromoted();
    end(world, purple);
    expect(printed(await scene.type('finalize'))).toEqual([]);
    const ending = await scene.type('recover although');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'CannotRecover' } });
    expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toMatch(/^Pink serves: runner/);
    expect(isServing(world, stackOf(world), pink)).toBe(true);
  });
});
