import type { Instance } from '../instance.ts';
import type { Pipeline } from '../state.ts';
import { moment } from './moment.ts';
import { projectById, webUrlOf } from './project.ts';

/** The sandbox has no repositories: every pipeline has a commit that says so. */
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
