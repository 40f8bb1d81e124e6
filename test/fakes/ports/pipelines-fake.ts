import type { StackSettings } from '../../../src/domain/settings.ts';
import type { OwnerState, Pipelines } from '../../../src/ports/pipelines.ts';
import type { PipelineState, World } from '../world/world.ts';
import { startCanary } from './canary-fake.ts';

/** Creates the CI's pipelines; `self` is the job that queries them. */
export function createPipelinesFake(
  world: World,
  self: { deploymentId: string; jobId: string },
): Pipelines {
  return {
    async readOwner({ deploymentId }) {
      const pipeline = world.pipelines[deploymentId];
      if (world.behaviour.pipelines === 'unknown') return unknown;
      if (pipeline === undefined) return unknown;
      const running = runningJobs(world, deploymentId).filter((id) => isOther(deploymentId, id));
      if (running[0] !== undefined) return { kind: 'alive', reason: `its job ${running[0]} runs` };
      if (pipeline.state === 'running') return { kind: 'alive', reason: 'its pipeline runs' };
      return { kind: 'over', reason: `its pipeline is ${pipeline.state}` };
    },
    async readLockHolder({ deploymentId }) {
      const pipeline = world.pipelines[deploymentId];
      if (world.behaviour.pipelines === 'unknown') return unknown;
      if (pipeline === undefined) return unknown;
      if (pipeline.state === 'deleted') return { kind: 'over', reason: 'its pipeline is deleted' };
      const running = runningJobs(world, deploymentId).filter((id) => isOther(deploymentId, id));
      if (running[0] !== undefined) return { kind: 'alive', reason: `job ${running[0]} runs` };
      return { kind: 'over', reason: 'no job of its pipeline runs' };
    },
    async readLastProvisions({ deploymentId }) {
      if (world.behaviour.pipelines === 'unknown') return 'unknown';
      return world.pipelines[deploymentId]?.endings?.toReversed() ?? 'unknown';
    },
  };

  function isOther(deploymentId: string, jobId: string): boolean {
    return deploymentId !== self.deploymentId || jobId !== self.jobId;
  }
}

/** Adds a pipeline, with its visible canary if the stack has one. */
export function addPipeline(
  world: World,
  pipeline: { deploymentId: string; stack?: StackSettings; createdAt?: number },
): PipelineState {
  const { deploymentId, createdAt = world.now } = pipeline;
  const stack = pipeline.stack ?? (world.stacks[0] as StackSettings);
  const state: PipelineState = { createdAt, state: 'running', jobs: {} };
  world.pipelines[deploymentId] = state;
  if (stack.canary.kind === 'job') startCanary(world, stack, deploymentId);
  return state;
}

const unknown: OwnerState = { kind: 'unknown', reason: 'the CI does not know the pipeline' };

function runningJobs(world: World, deploymentId: string): string[] {
  const jobs = world.pipelines[deploymentId]?.jobs ?? {};
  return Object.keys(jobs).filter((id) => jobs[id] === 'running');
}
