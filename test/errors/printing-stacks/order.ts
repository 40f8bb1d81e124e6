import { withLivingLock } from '../../broken-stacks/guarded/guarded-stack.ts';
import { at, endPipelines, rested } from '../../broken-stacks/state.ts';
import { addShard, linux, pink, purple, worldWithActive } from '../../fakes/builders.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { addRegistration } from '../../fakes/ports/registry/registration-writes.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf } from '../../operator/doctor/examine.ts';
import { on, type PrintingStack } from './printing.ts';

const hour = 3_600_000;

function jobEnds(world: World): void {
  for (const pipeline of Object.values(world.pipelines)) pipeline.jobs = {};
  endPipelines(world);
}

async function candidateWith(note: string, contacted: boolean, count = 1): Promise<World> {
  return at('prepared', (world) => {
    for (let made = 0; made < count; made += 1) {
      const { id } = addRegistration(world, {
        shard: { runnerName: linux, shard: purple },
        settings: stackOf(world).registration,
        tags: ['special'],
        note,
      });
      const one = world.registrations[id];
      if (one === undefined) continue;
      one.contacted = contacted;
      if (made > 0 || !contacted) continue;
      const name = parametersOf(stackOf(world)).token(purple);
      putParameter(world, { name, value: one.token, secret: true });
    }
  });
}

/** Stacks with a lock holder, an earlier deployment, or ambiguous registrations. */
export const orderStacks: readonly PrintingStack[] = [
  {
    code: 'LockHeld',
    where: 'by a job that runs',
    build: () => at('onboarded', (world) => void withLivingLock(world)),
    typed: on('provision'),
    before: jobEnds,
    leads: { [on('provision')]: 'done, promoted' },
  },
  {
    code: 'LockHeld',
    where: 'by a job that nobody can ask about',
    build: () =>
      at('onboarded', (world) => {
        withLivingLock(world);
        world.behaviour.pipelines = 'unknown';
      }),
    typed: on('provision'),
    still: () => ({ drive: { ci: 'gitlab', deploymentId: '1-200', jobId: 'another' } }),
    before: (world, command) => {
      jobEnds(world);
      if (!command.includes('--take-lock')) world.behaviour.pipelines = 'known';
    },
    leads: {
      [on('provision')]: 'done, promoted',
      [`${on('provision')} --take-lock`]: 'done, promoted',
    },
  },
  {
    code: 'LockLost',
    build: () => at('onboarded', () => {}),
    typed: on('provision'),
    surroundings: () => {
      let isTaken = false;
      return {
        intercept: ({ port, method }) => {
          if (isTaken || port !== 'infrastructure' || method !== 'plan') return undefined;
          isTaken = true;
          return { kind: 'lock_stale' };
        },
      };
    },
    leads: { [on('doctor')]: 'done, onboarded', [on('provision')]: 'done, promoted' },
  },
  {
    code: 'LockInvalid',
    build: () =>
      at('onboarded', (world) =>
        putParameter(world, { name: parametersOf(stackOf(world)).lock, value: 'by hand' }),
      ),
    typed: on('provision'),
    leads: {
      [on('doctor')]: 'done, onboarded',
      [`${on('provision')} --take-lock`]: 'done, promoted',
    },
  },
  {
    code: 'Held',
    build: () =>
      at('onboarded', (world) =>
        putParameter(world, {
          name: parametersOf(stackOf(world)).hold,
          value: '{"who":"kim","why":"an incident","since":"2026-11-02T08:00:00.000Z"}',
        }),
      ),
    typed: on('provision'),
    leads: { [on('release')]: 'done, onboarded' },
  },
  {
    code: 'DeploymentBusy',
    where: 'before its promotion',
    build: () =>
      at('applied', (world) => {
        const pipeline = world.pipelines['1-200'];
        if (pipeline !== undefined) pipeline.state = 'running';
      }),
    typed: on('prepare'),
    before: endPipelines,
    leads: { [on('prepare')]: 'done, applied' },
  },
  {
    code: 'DeploymentBusy',
    where: 'of one command for all stages',
    build: () =>
      at('applied', (world) => {
        const pipeline = world.pipelines['1-200'];
        if (pipeline !== undefined) pipeline.state = 'running';
      }),
    typed: on('deploy'),
    before: endPipelines,
    leads: { [on('deploy')]: 'done, done' },
  },
  {
    code: 'DeploymentBusy',
    where: 'while it retires the old shard',
    build: () =>
      at('promoted', (world) => {
        const pipeline = world.pipelines['1-200'];
        if (pipeline !== undefined) pipeline.state = 'running';
      }),
    typed: on('prepare'),
    leads: { [on('finalize')]: 'done, done', [on('prepare')]: 'done, prepared' },
  },
  {
    code: 'NotPrepared',
    build: async () => worldWithActive(pink),
    typed: on('provision'),
    leads: { [on('deploy')]: 'done, done', [on('status')]: 'done, none' },
  },
  {
    code: 'StageOutOfOrder',
    build: () => at('promoted', () => {}),
    typed: on('cleanup'),
    leads: { [on('shutdown')]: 'done, drained' },
  },
  {
    code: 'InactiveShardHealthy',
    where: 'because it serves',
    build: () => rested((world) => void addShard(world, { shard: pink })),
    typed: on('deploy'),
    leads: { [`${on('activate')} --shard pink`]: 'done, promoted', [on('status')]: 'done, done' },
  },
  {
    code: 'InactiveShardHealthy',
    where: 'by a job that somebody sent there',
    build: () =>
      at('applied', (world) => {
        registrationsOf(world, stackOf(world), purple)[0]?.tags.push('special');
        submitJob(world, { name: 'by hand', tags: ['special'], durationMs: 2 * hour });
      }),
    typed: on('provision'),
    before: async (world) => createSimulation({ world }).advance(3 * hour),
    leads: { [on('provision')]: 'done, promoted', [on('status')]: 'done, applied' },
  },
  {
    code: 'ForeignRegistration',
    build: () => candidateWith('somebody’s', false),
    typed: on('onboard'),
    before: (world) => {
      for (const one of registrationsOf(world, stackOf(world), purple))
        (one as { description: string }).description = 'another';
    },
    leads: { [on('provision')]: 'done, promoted', [on('status')]: 'done, prepared' },
  },
  {
    code: 'DuplicateRegistrations',
    build: () => candidateWith('hosted-runner-deploy deployment=1', true, 2),
    typed: on('onboard'),
    before: (world) => {
      const [, ...others] = registrationsOf(world, stackOf(world), purple);
      for (const { id } of others) delete world.registrations[id];
    },
    leads: { [on('provision')]: 'done, promoted', [on('status')]: 'done, prepared' },
  },
  {
    code: 'PreflightFailed',
    build: async () =>
      worldWithActive(pink, { behaviour: { missingGrants: ['ec2:TerminateInstances'] } }),
    typed: on('prepare'),
    before: (world) => {
      world.behaviour.missingGrants = [];
    },
    leads: { [on('prepare')]: 'done, prepared' },
  },
];
