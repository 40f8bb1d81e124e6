import type { Instance } from '../instance.ts';
import { finishedAtOf, jobsOf, pipelineStatus, startedAtOf } from '../jobs/pipeline-status.ts';
import type { Pipeline } from '../state.ts';
import { moment, secondsBetween } from './moment.ts';
import { projectById, webUrlOf } from './project.ts';
import { userBasic, userById } from './user.ts';

export function pipelineBasic(instance: Instance, pipeline: Pipeline) {
  return {
    id: pipeline.id,
    iid: pipeline.iid,
    project_id: pipeline.projectId,
    sha: pipeline.sha,
    ref: pipeline.ref,
    status: pipelineStatus(instance, pipeline),
    source: pipeline.source,
    created_at: moment(pipeline.createdAt),
    updated_at: moment(pipeline.updatedAt),
    web_url: pipelineUrl(instance, pipeline),
  };
}

export function pipelineDetails(instance: Instance, pipeline: Pipeline) {
  const jobs = jobsOf(instance, pipeline);
  const startedAt = startedAtOf(jobs);
  const finishedAt = finishedAtOf(jobs);
  const status = pipelineStatus(instance, pipeline);
  return {
    ...pipelineBasic(instance, pipeline),
    before_sha: '0'.repeat(40),
    tag: false,
    yaml_errors: null,
    user: userBasic(instance, userById(instance, pipeline.userId)),
    started_at: moment(startedAt),
    finished_at: moment(finishedAt),
    committed_at: null,
    duration: whole(secondsBetween(startedAt, finishedAt)),
    queued_duration: whole(secondsBetween(pipeline.createdAt, startedAt)),
    coverage: null,
    detailed_status: detailedStatus(instance, pipeline, status),
    archived: false,
  };
}

export function pipelineWithMetadata(instance: Instance, pipeline: Pipeline) {
  return { ...pipelineDetails(instance, pipeline), name: null };
}

function pipelineUrl(instance: Instance, pipeline: Pipeline): string {
  return `${webUrlOf(instance, projectById(instance, pipeline.projectId))}/-/pipelines/${pipeline.id}`;
}

function detailedStatus(instance: Instance, pipeline: Pipeline, status: string) {
  const text = status === 'success' ? 'passed' : status;
  return {
    icon: `status_${status}`,
    text,
    label: text,
    group: status,
    tooltip: text,
    has_details: true,
    details_path: new URL(pipelineUrl(instance, pipeline)).pathname,
    illustration: null,
    favicon: `/assets/ci_favicons/favicon_status_${status}.png`,
  };
}

function whole(seconds: number | null): number | null {
  return seconds === null ? null : Math.floor(seconds);
}

/** Returns a placeholder commit, because the sandbox has no repositories. */
export function commitOf(instance: Instance, pipeline: Pipeline) {
  const at = moment(pipeline.createdAt);
  const project = projectById(instance, pipeline.projectId);
  return {
    id: pipeline.sha,
    short_id: pipeline.sha.slice(0, 8),
    created_at: at,
    parent_ids: [],
    title: 'Sandbox commit',
    message: 'Sandbox commit\n',
    author_name: 'sandbox',
    author_email: 'sandbox@localhost',
    authored_date: at,
    committer_name: 'sandbox',
    committer_email: 'sandbox@localhost',
    committed_date: at,
    trailers: {},
    extended_trailers: {},
    web_url: `${webUrlOf(instance, project)}/-/commit/${pipeline.sha}`,
  };
}
