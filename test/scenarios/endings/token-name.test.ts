import { describe, expect, test } from '@jest/globals';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { hostsOf, parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Ending } from '../../stages/drive.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

const minute = 60_000;
const retired = '(none: retired)';
const token = (shard: typeof pink) => parametersOf(stackSettings()).token(shard);

function tokenIn(world: World, shard: typeof pink): string | undefined {
  return parameterValue(world, token(shard));
}

function waits({ log }: Ending): readonly string[] {
  return log.filter((line) => line.includes('after its deletion'));
}

/** Triggers a fault at the first call of this method for a shard's token. */
function once(method: string, shard: typeof pink, fault: Fault) {
  let isOver = false;
  return (call: Call): Fault | undefined => {
    const [first] = call.args as [{ name?: string } | string | undefined];
    const name = typeof first === 'string' ? first : first?.name;
    if (isOver || call.method !== method || name !== token(shard)) return undefined;
    isOver = true;
    return fault;
  };
}

describe('the name of a removed token', () => {
  test.each([
    ['GitLab', {}],
    ['GitHub', { runners: 'github_persistent', concurrent: 1 }],
  ] as const)(
    'delays no command: recover, provision, finalize and the next deployment in turn, with runners of %s',
    async (_, behaviour) => {
      const world = worldWithActive(pink, { behaviour });
      world.behaviour.boots['purple-linux'] = ['fails_jobs'];
      const scene = openScene(world);
      const typed = [
        ['deploy', '1-200'],
        ['provision', '1-200'],
        ['recover cleanup', '1-200'],
        ['provision', '1-200'],
        ['finalize', '1-200'],
        ['deploy', '1-300'],
        ['deploy', '1-400'],
      ] as const;
      const seen: unknown[] = [];
      for (const [command, deploymentId] of typed) {
        const ending = await scene.type(command, { deploymentId });
        seen.push([command, ending.kind, ...waits(ending)]);
      }
      expect(seen).toEqual([
        ['deploy', 'error'],
        ['provision', 'error'],
        ['recover cleanup', 'done'],
        // `recover` has already rebuilt the candidate.
        ['provision', 'nothing'],
        ['finalize', 'done'],
        ['deploy', 'done'],
        ['deploy', 'done'],
      ]);
      expect(await scene.rest()).toEqual([]);
    },
  );

  test('holds a text that is no token', async () => {
    const world = await reach('drained');
    const scene = openScene(world);
    expect(await scene.type('cleanup')).toMatchObject({ kind: 'done' });
    expect(tokenIn(world, pink)).toBe(retired);
    expect(await scene.rest()).toEqual([]);
  });

  test('holds the same text after the cleanup of a candidate', async () => {
    const world = await sick();
    // The name exists, so nothing is created.
    const scene = openScene(world, once('overwrite', purple, { kind: 'crash_after' }));
    expect(await scene.type('recover cleanup')).toMatchObject({ kind: 'killed' });
    expect(tokenIn(world, purple)).toBe(retired);
  });

  test.each([
    ['got no response', { kind: 'late_effect', afterMs: minute }],
    ['is denied to an older role', { kind: 'error_before', failure: 'denied', status: 400 }],
  ] as const)('gets deleted if its overwrite %s', async (_, fault) => {
    const world = await reach('drained');
    const scene = openScene(world, once('overwrite', pink, fault));
    expect(await scene.type('cleanup')).toMatchObject({ kind: 'done' });
    expect(tokenIn(world, pink)).toBeUndefined();
    const next = await scene.type('deploy', { deploymentId: '1-300' });
    expect(waits(next)).toEqual([
      'Waiting: AWS reserves the name of the deleted token for 30s after its deletion.',
    ]);
    expect(next).toMatchObject({ kind: 'done' });
    await scene.simulation.advance(5 * minute);
    expect(await scene.rest()).toEqual([]);
  });

  test.each([
    ['removal', () => reach('drained'), pink, 'cleanup'],
    ['retreat', sick, purple, 'recover cleanup'],
  ] as const)(
    'gets deleted by a run that resumes a %s in which another run died',
    async (_, begin, shard, command) => {
      const world = await begin();
      const dying = openScene(world, once('overwrite', shard, { kind: 'crash_before' }));
      expect(await dying.type(command)).toMatchObject({ kind: 'killed' });
      const scene = openScene(world, once('create', shard, { kind: 'crash_before' }));
      await scene.simulation.advance(minute);
      await scene.type(command, { jobId: 'again' });
      expect(tokenIn(world, shard)).toBeUndefined();
    },
  );
});

/** Reaches a purple that can be recovered after two unhealthy verdicts. */
async function sick(): Promise<World> {
  const world = worldWithActive(pink);
  world.behaviour.boots['purple-linux'] = ['fails_jobs'];
  const scene = openScene(world);
  for (const command of ['deploy', 'provision'] as const) await scene.type(command);
  return world;
}

describe('a token that disappears once the new one is stored', () => {
  test.each(['removed', 'overwritten'])(
    'gets replaced after a late removal if no manager has used it (%s)',
    async (how) => {
      const world = await reach('onboarded');
      const before = tokenIn(world, purple);
      let gone = false;
      const scene = openScene(world, ({ port, method }: Call) => {
        if (gone || port !== 'infrastructure' || method !== 'apply') return undefined;
        gone = true;
        if (how === 'removed') removeParameter(world, token(purple));
        else world.parameters[token(purple)]?.versions.push({ ...late(world) });
        return undefined;
      });
      const began = world.now;
      expect(await scene.type('provision')).toMatchObject({ kind: 'done', phase: 'promoted' });
      // The command does not wait for a host that cannot boot.
      expect(world.now - began).toBeLessThan(stackSettings().healthcheck.timeoutMs);
      expect([before, undefined, retired]).not.toContain(tokenIn(world, purple));
      await scene.type('finalize');
      expect(await scene.rest()).toEqual([]);
    },
  );

  test('blocks the promotion once a manager has used it, and the printed command repairs it', async () => {
    const world = await reach('onboarded');
    let isUnderWay = true;
    const scene = openScene(world, ({ port, method }: Call) => {
      const contacted = hostsOf(world, stackSettings(), purple)[0]?.contactedAt !== undefined;
      if (isUnderWay && contacted && port === 'canary' && method === 'findNewest') {
        isUnderWay = false;
        removeParameter(world, token(purple));
      }
      return undefined;
    });
    const lost = { error: { code: 'TokenLost', exitCode: 3 } };
    expect(await scene.type('provision')).toMatchObject(lost);
    // A late removal also deletes the next token, and then no token exists.
    isUnderWay = true;
    expect(await scene.type('recover cleanup')).toMatchObject(lost);
    expect(await scene.type('recover cleanup')).toMatchObject({ kind: 'done' });
    await scene.type('finalize');
    // This test removes a token in use on purpose.
    const taken = /^S2: the token of registration \d+ was taken/;
    expect((await scene.rest()).filter((line) => !taken.test(line))).toEqual([]);
  });
});

function late(world: World) {
  const version = (world.parameters[token(purple)]?.versions.at(-1)?.version ?? 0) + 1;
  return { value: retired, version, modifiedAt: world.now, secret: true };
}
