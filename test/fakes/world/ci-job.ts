import type { StackSettings } from '../../../src/domain/settings.ts';
import type { DeploymentId } from '../../../src/domain/shard.ts';
import type { Run } from '../../../src/ports/run.ts';
import { addPipeline } from '../ports/pipelines-fake.ts';
import type { IncarnationOptions } from '../simulation.ts';
import type { PipelineState, World } from './world.ts';

/** Adds a pipeline at its first job, unless a test has added it. */
export function enterPipeline(
  world: World,
  entry: IncarnationOptions & { stack: StackSettings; jobId: string; name: string },
): PipelineState {
  const { deploymentId, stack, jobId, name, machine = name } = entry;
  const known = world.pipelines[deploymentId];
  const pipeline = known ?? addPipeline(world, { deploymentId, stack });
  pipeline.jobs[jobId] = 'running';
  pipeline.state = 'running';
  world.processes[name] = { machine, alive: true };
  return pipeline;
}

/** Ends the process of a CI job. Its pipeline waits until an operator continues it. */
export function finishJob(
  world: World,
  { deploymentId, jobId, name }: { deploymentId: string; jobId: string; name: string },
): void {
  const pipeline = world.pipelines[deploymentId];
  const process = world.processes[name];
  if (process !== undefined) process.alive = false;
  if (pipeline === undefined) return;
  pipeline.jobs[jobId] = 'finished';
  const runs = Object.values(pipeline.jobs).includes('running');
  if (!runs && pipeline.state === 'running') pipeline.state = 'finished';
}

export function runOf(chosen: IncarnationOptions, jobId: string, createdAt: number): Run {
  const { deploymentId, commit, ownRegistrationId, deadline, timeLimitMs } = chosen;
  return {
    ci: chosen.ci ?? 'gitlab',
    deploymentId: deploymentId as DeploymentId,
    pipelineCreatedAt: new Date(createdAt).toISOString(),
    pipelineUrl: `https://gitlab.example.com/platform/runners/-/pipelines/${deploymentId}`,
    jobId,
    by: chosen.by ?? 'deployer',
    ...(commit === undefined ? {} : { commit }),
    ...(ownRegistrationId === undefined ? {} : { ownRegistrationId }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
  };
}
