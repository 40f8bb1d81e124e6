import { createHash } from 'node:crypto';
import type { Instance } from '../instance.ts';
import type { Job, JobRun, Pipeline, Project } from '../state.ts';
import { definePipeline, ensureResourceGroups, type JobDefinition } from './definitions.ts';
import { moveTo } from './transitions.ts';

const TIMEOUT_SECONDS = 3600;

export interface PipelineRequest {
  project: Project;
  userId: number;
  ref: string;
  source: Pipeline['source'];
}

/**
 * Creates a pipeline from the project's configuration. If the inputs are refused, nothing remains.
 */
export function createDefinedPipeline(
  instance: Instance,
  { inputs, ...request }: PipelineRequest & { inputs: Record<string, unknown> },
): Pipeline {
  const { project } = request;
  const definitions = definePipeline({
    project,
    iid: project.lastPipelineIid + 1,
    inputs,
    features: instance.features,
  });
  const pipeline = createPipeline(instance, request);
  const keys = definitions.flatMap((job) =>
    job.resourceGroup === null ? [] : [job.resourceGroup],
  );
  ensureResourceGroups(instance, project, keys);
  for (const definition of definitions) addJob(instance, pipeline, definition);
  return pipeline;
}

export function createPipeline(
  instance: Instance,
  { project, userId, ref, source }: PipelineRequest,
): Pipeline {
  project.lastPipelineIid += 1;
  const now = instance.now();
  const pipeline: Pipeline = {
    id: instance.nextId('pipeline'),
    iid: project.lastPipelineIid,
    projectId: project.id,
    userId,
    ref,
    sha: createHash('sha1').update(`${project.id}/${project.lastPipelineIid}`).digest('hex'),
    source,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  instance.state.pipelines.push(pipeline);
  instance.changed();
  return pipeline;
}

export function addJob(
  instance: Instance,
  pipeline: Pipeline,
  definition: JobDefinition & { afterScript?: string[]; timeoutSeconds?: number },
): Job {
  const job = newJob(instance, pipeline, definition);
  instance.state.jobs.push(job);
  moveTo(instance, job, { status: 'created' });
  if (!job.external) moveTo(instance, job, { status: 'pending' });
  return job;
}

function newJob(
  instance: Instance,
  pipeline: Pipeline,
  {
    afterScript = [],
    timeoutSeconds = TIMEOUT_SECONDS,
    ...definition
  }: JobDefinition & {
    afterScript?: string[];
    timeoutSeconds?: number;
  },
): Job {
  return {
    ...definition,
    ...unbegun(instance),
    pipelineId: pipeline.id,
    projectId: pipeline.projectId,
    userId: pipeline.userId,
    ref: pipeline.ref,
    afterScript,
    timeoutSeconds,
    retryOfId: null,
  };
}

/** Returns the state of a new job, also for a retry. */
export function unbegun(instance: Instance): JobRun {
  const now = instance.now();
  return {
    id: instance.nextId('job'),
    status: 'created',
    tokenDigests: [],
    runnerId: null,
    managerId: null,
    systemId: null,
    createdAt: now,
    queuedAt: null,
    assignedAt: null,
    startedAt: null,
    finishedAt: null,
    updatedAt: now,
    failureReason: null,
    exitCode: null,
    endToldAt: null,
    watchedUntil: null,
    retriedById: null,
    deletedAt: null,
    transitions: [],
  };
}
