import { z } from 'zod';
import type { ReadAnswer } from '../transport/answers/read-answer.ts';
import { pipelineId } from './canary/canary-project.ts';
import { pipelineJob, pipelineState, projectName } from './jobs/gitlab-pipelines.ts';
import { job } from './jobs/job.ts';
import { runnerInGraphQl } from './jobs/job-sight.ts';
import { finishedJob, runnerJob } from './jobs/runner-jobs.ts';
import { tokenInGraphQl } from './runners/gitlab-token-expiry.ts';
import { runnersInGraphQl } from './runners/graphql-runners.ts';
import { assignedProject, placesInGraphQl } from './runners/places.ts';
import { member, ownToken, ownUser } from './runners/registry-probe.ts';
import { created, renewed } from './runners/registry-writes.ts';
import {
  editedRunner,
  runnerDetails,
  runnerManager,
  runnerSummary,
} from './runners/rest-runner.ts';

const list = runnerSummary.array();
const jobs = 'GET /projects/:id/pipelines/:pipeline_id/jobs';

/**
 * Schemas of responses by call, for recordings. A call without a schema, such as a removal, returns
 * only a status.
 */
export const gitlabAnswers: readonly ReadAnswer[] = [
  // `readServer` uses no schema, because it runs before the schemas are loaded.
  { call: 'GET /metadata', by: 'the server probe', schema: z.object({ version: z.string() }) },
  { call: 'GET /runners/all', by: 'the list of runners', schema: list },
  { call: 'GET /groups/:id/runners', by: 'the list of runners', schema: list },
  { call: 'GET /projects/:id/runners', by: 'the list of runners', schema: list },
  { call: 'GET /runners/:id', by: 'the registration', schema: runnerDetails },
  { call: 'PUT /runners/:id', by: 'the change of a runner', schema: editedRunner },
  { call: 'DELETE /runners/:id', by: 'the removal', schema: z.unknown() },
  { call: 'POST /api/graphql', by: "the token's access to jobs", schema: runnerInGraphQl },
  { call: 'POST /api/graphql', by: 'the assignments', schema: placesInGraphQl },
  { call: 'POST /api/graphql', by: "the token's expiry", schema: tokenInGraphQl },
  { call: 'POST /api/graphql', by: 'the runners of several stacks', schema: runnersInGraphQl },
  { call: 'GET /runners/:id/managers', by: 'the managers', schema: runnerManager.array() },
  {
    call: 'GET /runners/:id/jobs',
    by: 'the drain',
    schema: runnerJob.array(),
    statuses: ['pending', 'running', 'canceling'],
  },
  {
    call: 'GET /runners/:id/jobs',
    by: 'finished jobs',
    schema: finishedJob.array(),
    statuses: ['success', 'failed'],
  },
  { call: 'GET /runners/:id/projects', by: 'the assignments', schema: assignedProject.array() },
  { call: 'POST /projects/:id/runners', by: 'the assignments', schema: z.unknown() },
  {
    call: 'DELETE /projects/:id/runners/:runner_id',
    by: 'the removal',
    schema: z.unknown(),
  },
  { call: 'POST /user/runners', by: 'the new registration', schema: created },
  {
    call: 'POST /runners/:id/reset_authentication_token',
    by: 'the new token',
    schema: renewed,
  },
  { call: 'GET /personal_access_tokens/self', by: 'the probe of the token', schema: ownToken },
  { call: 'GET /user', by: 'the probe of the role', schema: ownUser },
  { call: 'GET /groups/:id/members/all/:user_id', by: 'the probe of the role', schema: member },
  { call: 'GET /projects/:id/members/all/:user_id', by: 'the probe of the role', schema: member },
  { call: 'GET /projects/:id', by: 'the owner', schema: projectName },
  { call: 'GET /projects/:id/pipelines', by: 'the owner', schema: pipelineState.array() },
  { call: 'GET /projects/:id/pipelines', by: 'the canary', schema: pipelineId.array() },
  { call: 'GET /projects/:id/pipelines/:pipeline_id', by: 'the owner', schema: pipelineState },
  { call: jobs, by: 'the owner', schema: pipelineJob.array() },
  { call: jobs, by: 'the canary', schema: job.array() },
  { call: 'GET /projects/:id/jobs/:job_id', by: 'the canary', schema: job },
  { call: 'POST /projects/:id/pipeline', by: 'the canary', schema: pipelineId },
  { call: 'POST /projects/:id/jobs/:job_id/retry', by: 'the canary', schema: job },
  { call: 'POST /projects/:id/jobs/:job_id/play', by: 'the canary', schema: z.unknown() },
  { call: 'POST /projects/:id/jobs/:job_id/cancel', by: 'the canary', schema: z.unknown() },
];
