import { featuresOf, NEWEST_GITLAB } from '../../sandbox/gitlab/answers/versions.ts';
import { runnerDetails, runnerInGraphql } from '../../sandbox/gitlab/entities/runner.ts';
import type { Instance } from '../../sandbox/gitlab/instance.ts';
import { seedState } from '../../sandbox/gitlab/seed.ts';
import type { Runner, User } from '../../sandbox/gitlab/state.ts';
import { seededRandom } from '../../sandbox/surroundings/random.ts';
import type { SampleAnswer } from './sample-answer.ts';

const project = {
  id: 201,
  path_with_namespace: 'acme/app',
  web_url: 'https://gitlab.test/acme/app',
};
const now = Date.parse('2026-01-25T16:39:48.066Z');
const random = seededRandom(1);
/** Responses of the sandbox's newest GitLab, which are compared with GitLab's known ones. */
const gitlab = {
  version: NEWEST_GITLAB,
  features: featuresOf(NEWEST_GITLAB),
  state: seedState({ now, random, seal: (text) => text }),
  now: () => now,
  baseUrl: () => 'https://gitlab.test',
} as Instance;
const reader = gitlab.state.users[0] as User;
const runner = {
  id: 48213,
  type: 'group_type',
  groupId: 10,
  projectIds: [201],
  description: 'pink-linux',
  maintenanceNote: 'hosted-runner-deploy: 101-5001',
  paused: false,
  tags: ['linux'],
  runUntagged: false,
  createdById: reader.id,
  createdAt: now,
  contactedAt: now,
} as Runner;
const details = runnerDetails(gitlab, runner, { reader });
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

/** Sample responses by file and name of the schema in `src/adapters/gitlab`. */
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
    answer: { data: { r0: runnerInGraphql(gitlab, runner, reader) } },
    // A runner that lacks a field is read separately.
    needed: [],
  },
  'pipeline-canary.ts pipelineNumber': { answer: { id: 9001, iid: 12 }, needed: ['iid'] },
  'pipeline-settings.ts pipelineSettings': {
    answer: {
      ...project,
      default_branch: 'main',
      ci_pipeline_variables_minimum_override_role: 'no_one_allowed',
      restrict_user_defined_variables: true,
      auto_cancel_pending_pipelines: 'enabled',
      resource_group_default_process_mode: 'unordered',
    },
    needed: [],
  },
  'pipeline-settings.ts resourceGroup': {
    answer: { id: 3, key: 'hosted-runner/linux', process_mode: 'unordered' },
    needed: ['process_mode'],
  },
  'pipeline-settings.ts lintResult': {
    answer: { valid: true, errors: ['a warning'], merged_yaml: '---\nworkflow: {}\n' },
    needed: [],
  },
  // Configuration inside the previous response.
  'auto-cancel.ts workflowOfPipeline': {
    answer: {
      workflow: {
        auto_cancel: { on_new_commit: 'none', on_job_failure: 'none' },
        rules: [{ when: 'always', auto_cancel: { on_new_commit: 'none' } }],
      },
    },
    needed: [],
  },
  'finalize-schedule.ts pipelineSchedule': {
    answer: { id: 13, description: 'finish deployments', active: true, cron: '0 * * * *' },
    needed: ['id'],
  },
  'token-variable.ts tokenVariable': {
    answer: {
      key: 'HOSTED_RUNNER_GITLAB_TOKEN',
      environment_scope: 'hosted-runner/*',
      protected: true,
      masked: true,
      hidden: false,
      value: 'glpat-00000000000000000000',
    },
    needed: [],
  },
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
  'rest-runner.ts runnerInBoth': {
    answer: details,
    needed: ['paused', 'tag_list', 'run_untagged', 'contacted_at'],
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
  'runner-limit.ts namespacePlan': {
    answer: { id: 12, full_path: 'acme/runners', parent_id: 11, plan: 'premium' },
    needed: [],
  },
  'runner-limit.ts namespaceOfProject': {
    answer: { ...project, namespace: { id: 11, kind: 'group', full_path: 'acme' } },
    needed: ['namespace', 'namespace.id'],
  },
  'runner-limit.ts planLimits': {
    answer: { ci_registered_group_runners: 1000, ci_registered_project_runners: 1000 },
    needed: ['ci_registered_group_runners', 'ci_registered_project_runners'],
  },
  'graphql-reader.ts graphqlRefusal': {
    // The program searches the content as text.
    answer: { errors: ['Access denied'] },
    needed: ['errors'],
  },
  'runner-jobs.ts finishedJob': { answer: job, needed: ['id'] },
  'runner-jobs.ts runnerJob': { answer: job, needed: ['id'] },
  'job-queue.ts waitingJob': {
    answer: job,
    needed: ['id', 'status', 'tag_list', 'runner.id'],
  },
};
