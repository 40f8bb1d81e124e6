import type { Context } from 'hono';
import { type Parameters, readQuery } from '../answers/parameters.ts';
import { badParameter } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';
import { isFinished, pipelineStatus } from '../jobs/pipeline-status.ts';
import { JOB_STATUSES, type Job, type JobStatus, type Pipeline, type Project } from '../state.ts';

const SCOPES = ['running', 'pending', 'finished', 'branches', 'tags'] as const;
const SOURCES = [
  'unknown',
  'push',
  'web',
  'trigger',
  'schedule',
  'api',
  'external',
  'pipeline',
  'chat',
  'webide',
  'merge_request_event',
  'external_pull_request_event',
  'parent_pipeline',
  'ondemand_dast_scan',
  'ondemand_dast_validation',
  'security_orchestration_policy',
  'container_registry_push',
  'duo_workflow',
  'pipeline_execution_policy_schedule',
] as const;
const ORDERS = ['id', 'status', 'ref', 'updated_at', 'user_id'] as const;

export function filterPipelines(c: Context, instance: Instance, project: Project): Pipeline[] {
  const query = readQuery(c);
  const status = query.choice('status', JOB_STATUSES);
  const scope = query.choice('scope', SCOPES);
  const source = query.choice('source', SOURCES);
  // No pipeline of the sandbox has an error in its YAML.
  const hasErrors = query.flag('yaml_errors');
  const keep: ((pipeline: Pipeline) => boolean)[] = [
    (pipeline) => pipeline.projectId === project.id && pipeline.deletedAt === null,
    equals(query, 'ref', (pipeline) => pipeline.ref),
    equals(query, 'sha', (pipeline) => pipeline.sha),
    (pipeline) => source === undefined || pipeline.source === source,
    () => hasErrors !== true,
    within(query, 'created', (pipeline) => pipeline.createdAt),
    within(query, 'updated', (pipeline) => pipeline.updatedAt),
    (pipeline) => status === undefined || pipelineStatus(instance, pipeline) === status,
    (pipeline) => scope === undefined || inScope(pipelineStatus(instance, pipeline), scope),
  ];
  const found = instance.state.pipelines.filter((row) => keep.every((test) => test(row)));
  const byTime = query.choice('order_by', ORDERS) === 'updated_at';
  const ascending = query.choice('sort', ['asc', 'desc']) === 'asc';
  const key = (pipeline: Pipeline) => (byTime ? pipeline.updatedAt : pipeline.id);
  return found.sort((one, other) => (ascending ? key(one) - key(other) : key(other) - key(one)));
}

/** Filters jobs by the statuses in `scope` or `scope[]`, newest first. */
export function filterJobs(c: Context, jobs: readonly Job[]): Job[] {
  const scopes = readQuery(c).list('scope') ?? [];
  const unknown = scopes.find((scope) => !JOB_STATUSES.some((status) => status === scope));
  if (unknown !== undefined) throw badParameter('scope does not have a valid value');
  return jobs
    .filter((job) => scopes.length === 0 || scopes.includes(job.status))
    .sort((one, other) => other.id - one.id);
}

function inScope(status: JobStatus, scope: (typeof SCOPES)[number]): boolean {
  if (scope === 'finished') return isFinished(status);
  if (scope === 'branches') return true;
  return scope !== 'tags' && status === scope;
}

function equals(
  query: Parameters,
  name: string,
  read: (pipeline: Pipeline) => string,
): (pipeline: Pipeline) => boolean {
  const wanted = query.text(name);
  return (pipeline) => wanted === undefined || read(pipeline) === wanted;
}

function within(
  query: Parameters,
  name: string,
  read: (pipeline: Pipeline) => number,
): (pipeline: Pipeline) => boolean {
  const after = time(query, `${name}_after`) ?? Number.NEGATIVE_INFINITY;
  const before = time(query, `${name}_before`) ?? Number.POSITIVE_INFINITY;
  return (pipeline) => read(pipeline) > after && read(pipeline) < before;
}

function time(query: Parameters, name: string): number | undefined {
  const text = query.text(name);
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw badParameter(`${name} is invalid`);
  return at;
}
