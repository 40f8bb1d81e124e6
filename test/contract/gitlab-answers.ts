import type { SampleAnswer } from './sample-answer.ts';

const project = {
  id: 201,
  path_with_namespace: 'acme/app',
  web_url: 'https://gitlab.test/acme/app',
};
const group = { id: 11, web_url: 'https://gitlab.test/groups/acme', name: 'acme' };
const details = {
  id: 48213,
  description: 'pink-linux',
  paused: false,
  runner_type: 'group_type',
  status: 'online',
  contacted_at: '2026-01-25T16:39:48.066Z',
  job_execution_status: 'idle',
  tag_list: ['linux'],
  run_untagged: false,
  locked: false,
  maintenance_note: 'note',
  projects: [{ id: 201, web_url: 'https://gitlab.test/acme/app' }],
  groups: [group],
};
const job = {
  id: 5001,
  name: 'canary',
  status: 'running',
  created_at: '2026-01-25T16:39:48.066Z',
  started_at: '2026-01-25T16:39:48.066Z',
  finished_at: '2026-01-25T16:39:48.066Z',
  duration: 12.3,
  queued_duration: 0.4,
  failure_reason: 'script_failure',
  allow_failure: false,
  web_url: 'https://gitlab.test/acme/app/-/jobs/5001',
  tag_list: ['linux'],
  project,
  pipeline: { id: 9001, iid: 12 },
  runner: { id: 48213, description: 'pink-linux' },
  runner_manager: { id: 91, system_id: 's_89e5e9956577' },
};
const inside = ['pipeline.id', 'runner.id', 'runner_manager.id'];

/** By file and name of the schema in `src/adapters/gitlab`. */
export const gitlabAnswers: Readonly<Record<string, SampleAnswer>> = {
  'places.ts assignedProject': { answer: project, needed: ['id'] },
  'places.ts placesInGraphQl': {
    answer: {
      data: { runner: { projectCount: 2, ownerProject: { id: 'gid://gitlab/Project/1' } } },
    },
    needed: ['data.runner.ownerProject.id'],
  },
  'gitlab-token-expiry.ts tokenInGraphQl': {
    answer: { data: { runner: { tokenExpiresAt: '2026-12-01T10:00:00Z' } } },
    needed: [],
  },
  'graphql-runners.ts runnersInGraphQl': {
    answer: {
      data: {
        r0: {
          id: 'gid://gitlab/Ci::Runner/48213',
          description: 'pink-linux',
          maintenanceNote: 'hosted-runner-deploy: 101-5001',
          paused: false,
          tagList: ['linux'],
          runUntagged: false,
          contactedAt: '2026-11-02T07:50:00Z',
          jobExecutionStatus: 'IDLE',
        },
      },
    },
    // A runner without one of its fields is read by itself.
    needed: [],
  },
  'pipeline-canary.ts pipelineNumber': { answer: { id: 9001, iid: 12 }, needed: ['iid'] },
  'canary-secrets.ts placeOfProject': {
    answer: { ...project, namespace: { id: 11, kind: 'group', full_path: 'acme' } },
    needed: ['namespace', 'namespace.kind', 'namespace.full_path'],
  },
  'canary-secrets.ts scopeOfVariable': {
    answer: { key: 'GITLAB_TOKEN', variable_type: 'env_var', environment_scope: '*' },
    needed: [],
  },
  'canary-project.ts metadata': { answer: { version: '17.11.0' }, needed: ['version'] },
  'canary-project.ts pipelineId': { answer: { id: 9001, iid: 12 }, needed: ['id'] },
  'job-sight.ts runnerInGraphQl': {
    answer: { data: { runner: { jobExecutionStatus: 'IDLE' } } },
    needed: [],
  },
  'job-sight.ts serverVersion': { answer: { version: '19.2.0-ee' }, needed: ['version'] },
  'job.ts job': { answer: job, needed: ['id', 'name', 'status', 'created_at', ...inside] },
  'gitlab-pipelines.ts pipelineJob': { answer: job, needed: ['id', 'name', 'status'] },
  'gitlab-pipelines.ts pipelineState': {
    answer: { id: 9001, status: 'running' },
    needed: ['status'],
  },
  'gitlab-pipelines.ts projectName': { answer: project, needed: ['id'] },
  'rest-runner.ts editedRunner': {
    answer: details,
    needed: ['paused', 'tag_list', 'run_untagged'],
  },
  'rest-runner.ts runnerDetails': {
    answer: details,
    needed: [
      'id',
      'paused',
      'runner_type',
      'contacted_at',
      'tag_list',
      'run_untagged',
      'projects.*.id',
      'groups.*.id',
    ],
  },
  'rest-runner.ts runnerManager': {
    answer: {
      id: 91,
      system_id: 's_89e5e9956577',
      version: '18.7.0',
      created_at: '2026-01-25T16:39:48.066Z',
      contacted_at: '2026-01-25T16:39:48.066Z',
      status: 'online',
      job_execution_status: 'idle',
    },
    needed: ['id', 'system_id', 'created_at'],
  },
  'rest-runner.ts runnerSummary': { answer: details, needed: ['id'] },
  'registry-probe.ts member': { answer: { id: 7, access_level: 50 }, needed: ['access_level'] },
  'registry-probe.ts ownToken': {
    answer: { id: 3, name: 'deploy', scopes: ['api'], active: true, expires_at: '2026-12-31' },
    needed: [],
  },
  'registry-probe.ts ownUser': {
    answer: { id: 7, username: 'deployer', is_admin: false },
    needed: ['id', 'username'],
  },
  'registry-writes.ts created': {
    answer: { id: 48213, token: 'glrt-MADEUP', token_expires_at: '2026-12-31' },
    needed: ['id', 'token'],
  },
  'registry-writes.ts renewed': {
    answer: { token: 'glrt-MADEUP', token_expires_at: '2026-12-31' },
    needed: ['token'],
  },
  'runner-jobs.ts finishedJob': { answer: job, needed: ['id'] },
  'runner-jobs.ts runnerJob': { answer: job, needed: ['id'] },
  'job-queue.ts waitingJob': {
    answer: job,
    needed: ['id', 'status', 'tag_list', 'runner.id'],
  },
};
