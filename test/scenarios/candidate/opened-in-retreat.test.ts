import { describe, expect, test } from '@jest/globals';
import type { Shard } from '../../../src/domain/shard.ts';
import { pink, purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { recordText, setRecord } from '../../fakes/world/record-by-hand.ts';
import { activeShard, hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Command, Ending } from '../../stages/drive.ts';
import { reach } from '../../stages/reach.ts';
import { openScene, type Scene } from '../scene.ts';
import { end, hour, isOpen, minute, openPromoted, pause, stackOf } from '../service/promoted.ts';

const terminal = (id: string) => ({ ci: 'terminal', deploymentId: id }) as const;
const activate = 'hosted-runner activate --runner linux --shard';
const printed = (shard: Shard) => [
  `Fix ${shard}, verify it again and keep it: ${activate} ${shard}`,
  `Or pause runner ${shard === pink ? 48213 : 48214} yourself, then resume: hosted-runner provision --runner linux`,
];

function fixOf(ending: Ending): readonly string[] {
  expect(ending).toMatchObject({ phase: 'retreating', error: { code: 'OpenedByOther' } });
  return ending.kind === 'error' ? (ending.error.fields.fix ?? []) : [];
}

function setWell(world: World, shard: Shard, isWell: boolean): void {
  for (const host of hostsOf(world, stackOf(world), shard))
    host.boot = isWell ? 'ok' : 'broken_workload';
  absorb(world);
}

/** Acts once, at a check during the candidate's drain in a retreat. */
function inRetreat(candidate: Shard, act: (world: World) => void) {
  let reads = 0;
  return (world: World): Intercept =>
    ({ port, method }) => {
      if (port !== 'registry' || method !== 'find') return undefined;
      if (isOpen(world, candidate) !== false) return undefined;
      reads += 1;
      if (reads === 20) act(world);
      return undefined;
    };
}

interface RetreatScene {
  readonly scene: Scene;
  readonly world: World;
  readonly candidate: Shard;
  readonly ending: Ending;
}

/**
 * Reaches a retreat of a deployment. Both shards accept jobs and run long ones. The candidate's
 * checks fail, and an operator unpauses it.
 */
async function ofDeployment(act: (world: World) => void = () => {}): Promise<RetreatScene> {
  const world = await reach('promoting');
  for (const name of ['one', 'two'])
    submitJob(world, { name, tags: ['linux'], durationMs: 2 * hour, visible: true });
  await openScene(world).simulation.advance(minute);
  setWell(world, purple, false);
  const open = (one: World) => {
    pause(one, purple, false);
    act(one);
  };
  const scene = openScene(world, inRetreat(purple, open)(world));
  return { scene, world, candidate: purple, ending: await scene.type('provision') };
}

async function ofActivation(): Promise<RetreatScene> {
  let happens: Intercept = () => undefined;
  const { scene, world } = await openPromoted(undefined, (call) => happens(call));
  setWell(world, pink, false);
  happens = inRetreat(pink, (one) => pause(one, pink, false))(world);
  const ending = await scene.type('activate pink', terminal('terminal-1'));
  return { scene, world, candidate: pink, ending };
}

describe.each([
  ['a deployment', ofDeployment],
  ['an activation', ofActivation],
] as const)('a candidate that an operator unpauses during the retreat of %s', (_, open) => {
  test('makes the run report that nothing was stopped', async () => {
    const { ending } = await open();
    expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
      'The drain paused the runner, but it is unpaused now. No process was stopped.',
    ]);
  });

  test('stays by the printed activation until it is the only shard', async () => {
    const { scene, world, candidate, ending } = await open();
    expect(fixOf(ending)).toEqual(printed(candidate));
    setWell(world, candidate, true);
    await scene.simulation.advance(6 * hour);
    const typed = terminal('terminal-3');
    expect(await scene.type(`activate ${candidate}` as Command, typed)).toMatchObject({
      kind: 'done',
      phase: 'promoted',
    });
    expect(registrationsOf(world, stackOf(world), candidate)).toMatchObject([
      { tags: ['linux'], paused: false },
    ]);
    expect(await scene.type('finalize', typed)).toMatchObject({ kind: 'done', phase: 'done' });
    expect(activeShard(world, stackOf(world))).toBe(candidate);
    expect(await scene.rest()).toEqual([]);
  });

  test('continues its retreat by the other printed command once it is paused by hand', async () => {
    const { scene, world, candidate, ending } = await open();
    expect(fixOf(ending)).toEqual(printed(candidate));
    pause(world, candidate, true);
    const typed = candidate === pink ? terminal('terminal-2') : { deploymentId: '1-200' };
    const taken = await scene.type('provision', typed);
    expect(taken.log).toContain(
      `Resuming the retreat: the retreat of ${candidate} has started and is finished first.`,
    );
    expect(taken.log).toContain(
      `Removed the candidate ${candidate}; the deployment is back in phase prepared.`,
    );
    expect(taken).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(await scene.type('finalize', typed)).toMatchObject({ kind: 'done', phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });
});

test('gets paused again by provision, and the log names the command that keeps it', async () => {
  const { scene, ending } = await ofDeployment();
  fixOf(ending);
  const taken = await scene.type('provision');
  expect(taken.log.join('\n')).toContain(
    `Runner 48214 of purple is unpaused during its retreat: an operator unpaused it, or an earlier run left it so. It is paused again, because provision was run. To keep it instead: ${activate} purple`,
  );
  expect(taken).toMatchObject({ kind: 'done', phase: 'promoted' });
});

test('causes no log line if it was paused by hand', async () => {
  const { scene, world, ending } = await ofDeployment();
  fixOf(ending);
  pause(world, purple, true);
  const taken = await scene.type('provision');
  expect(taken.log.join('\n')).not.toContain('while its activation is being undone');
});

test('gets no activation command if its process has ended, and the error gives the reason', async () => {
  const { scene, ending } = await ofDeployment((world) => end(world, purple));
  expect(fixOf(ending)).toEqual([
    'Pause runner 48214 yourself, then resume: hosted-runner provision --runner linux',
  ]);
  expect(ending.kind === 'error' ? ending.error.fields.why : []).toContainEqual(
    expect.stringMatching(
      /^Purple cannot be kept and activated, because no machine of purple exists: /,
    ),
  );
  expect(await scene.type('activate purple', { deploymentId: '1-400' })).toMatchObject({
    error: { code: 'CannotActivate' },
  });
});

test('a retreat does not touch the runner of the other shard if an edited record names it', async () => {
  const world = await reach('retreating');
  setRecord(world, recordText(world).replaceAll('"48214"', '"48213"'));
  const ending = await openScene(world).type('provision');
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'FactsContradict' } });
  const [active] = registrationsOf(world, stackOf(world), pink);
  expect(active).toMatchObject({ id: '48213', paused: false, tags: ['linux'] });
});
