import { endPipelines } from '../../broken-stacks/state.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { tokenParameter } from '../../fakes/hosts/token-parameter.ts';
import { removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { breakJobs } from '../../fakes/world/broken-jobs.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf, parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf } from '../../operator/doctor/examine.ts';
import { type Baked, bad, openBaking } from '../../scenarios/bake/baked.ts';
import { on, type PrintingStack } from './printing.ts';

const minute = 60_000;

/** Reaches a bake: pink is drained but running, and purple is under the bake's checks. */
async function baking(
  options: Baked = {},
  change: (world: World) => void = () => {},
): Promise<World> {
  const { scene, world } = await openBaking(options);
  await scene.type('shutdown');
  endPipelines(world);
  change(world);
  return world;
}

const pinkHosts = (world: World) => hostsOf(world, stackOf(world), pink);
const fails = (world: World) => breakJobs(world, purple, bad);

function idIn(world: World): string {
  const text = parameterValue(world, parametersOf(stackOf(world)).record) ?? '';
  return JSON.parse(text).deployment.id;
}

/** Stacks with a baking shard, and their rollbacks. */
export const bakeStacks: readonly PrintingStack[] = [
  {
    code: 'StillBaking',
    build: () => baking(),
    typed: on('bake'),
    surroundings: (world) => ({ drive: { deadline: world.now + 10 * minute } }),
    leads: { [on('bake')]: 'done, baked' },
  },
  {
    code: 'BakeHeld',
    build: () => baking({ bake: { onUnhealthy: 'hold' } }, fails),
    typed: on('bake'),
    // The first line applies to both other commands.
    before: (world, command) => {
      if (command.includes('finalize')) removeParameter(world, parametersOf(stackOf(world)).hold);
    },
    leads: {
      [on('release')]: 'done, drained',
      [on('rollback')]: 'done, promoted',
      [`${on('finalize')} --set bake.on_unhealthy=report`]: 'done, done',
    },
  },
  {
    code: 'BakeHeld',
    where: 'of too little',
    build: () => baking({ bake: { jobs: 20, atMostMs: 30 * minute, onInconclusive: 'hold' } }),
    typed: on('bake'),
    // The first line applies to both other commands.
    before: (world, command) => {
      if (command.includes('finalize')) removeParameter(world, parametersOf(stackOf(world)).hold);
    },
    leads: {
      [on('release')]: 'done, drained',
      [on('rollback')]: 'done, promoted',
      [`${on('finalize')} --set bake.on_inconclusive=proceed`]: 'done, done',
    },
  },
  {
    code: 'TakenBack',
    build: () => baking({}, fails),
    typed: on('bake'),
    // The run belongs to the deployment's own pipeline. Another pipeline's run would succeed.
    surroundings: (world) => ({ drive: { deploymentId: idIn(world) } }),
    leads: { [on('status')]: 'done, promoted', [on('deploy')]: 'done, done' },
  },
  {
    code: 'TakenBack',
    where: 'whose loser still drains',
    build: async () => {
      const { scene, world } = await openBaking();
      await scene.type('shutdown');
      submitJob(world, {
        name: 'long build',
        tags: ['linux'],
        durationMs: 180 * minute,
        visible: true,
      });
      await scene.simulation.advance(minute);
      fails(world);
      await scene.type('bake');
      return world;
    },
    typed: on('finalize'),
    surroundings: (world) => ({
      drive: { deploymentId: '1-200', deadline: world.now + 30 * minute },
    }),
    before: endPipelines,
    leads: {
      [on('status')]: 'done, draining',
      [on('finalize')]: 'done, done',
      // Before the removal, it is refused.
      [on('deploy')]: '75 DeploymentBusy, draining',
    },
  },
  {
    code: 'TakeBackUnproven',
    build: () =>
      baking({}, (world) => {
        fails(world);
        for (const host of pinkHosts(world)) host.token = 'refused';
      }),
    typed: on('bake'),
    before: (world, command) => {
      if (command.includes('rollback'))
        for (const host of pinkHosts(world)) host.token = tokenParameter(world, host)?.value ?? '';
    },
    leads: {
      [on('rollback')]: 'done, promoted',
      [`${on('activate')} --shard purple`]: 'done, promoted',
      [on('status')]: 'done, promoting',
    },
  },
];
