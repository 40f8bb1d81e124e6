import type { SampleAnswer } from './sample-answer.ts';

const runner = {
  id: 701,
  name: 'pink-linux_i-0123456789abcdef0',
  os: 'linux',
  status: 'online',
  busy: false,
  ephemeral: false,
  version: '2.330.0',
  labels: [{ id: 1, name: 'linux', type: 'custom' }],
};
const job = {
  id: 801,
  run_id: 901,
  name: 'canary',
  status: 'in_progress',
  conclusion: 'success',
  created_at: '2026-01-25T16:39:48Z',
  started_at: '2026-01-25T16:39:48Z',
  completed_at: '2026-01-25T16:39:48Z',
  labels: ['linux'],
  runner_id: 701,
  runner_name: 'pink-linux_i-0123456789abcdef0',
  html_url: 'https://github.test/acme/app/actions/runs/901/job/801',
};
const run = { id: 901, display_title: 'canary linux', status: 'in_progress' };
const group = {
  id: 2,
  name: 'quarantine',
  visibility: 'selected',
  inherited: false,
  restricted_to_workflows: true,
  selected_workflows: ['acme/app/.github/workflows/canary.yml@refs/heads/main'],
};
const repository = { id: 5, full_name: 'acme/app' };
const ofRunner = ['id', 'name', 'status', 'busy', 'labels', 'labels.*.name'];

/** Sample responses by file and name of the schema in `src/adapters/github`. */
export const githubAnswers: Readonly<Record<string, SampleAnswer>> = {
  'canary-workflow.ts dispatched': {
    answer: { workflow_run_id: 901, run_url: 'https://api.github.test/…/901', html_url: '…' },
    needed: [],
  },
  'canary-workflow.ts canaryJob': { answer: job, needed: ['id', 'status'] },
  'canary-workflow.ts canaryJobs': {
    answer: { total_count: 1, jobs: [job] },
    needed: ['jobs', 'jobs.*.id', 'jobs.*.status'],
  },
  'run-names.ts namedRun': { answer: run, needed: ['id'] },
  'run-names.ts namedRuns': {
    answer: { total_count: 1, workflow_runs: [run] },
    needed: ['workflow_runs', 'workflow_runs.*.id'],
  },
  'runner-groups.ts groupAnswer': { answer: group, needed: ['id', 'name'] },
  'runner-groups.ts groupOrganizations': {
    answer: { total_count: 1, organizations: [{ id: 6, login: 'acme' }] },
    needed: ['total_count'],
  },
  'runner-groups.ts groupRepositories': {
    answer: { total_count: 1, repositories: [repository] },
    needed: ['total_count', 'repositories', 'repositories.*.full_name'],
  },
  'runner-groups.ts groupsPage': {
    answer: { total_count: 1, runner_groups: [group] },
    needed: ['total_count', 'runner_groups', 'runner_groups.*.id', 'runner_groups.*.name'],
  },
  'jobs.ts activeJob': { answer: job, needed: ['id', 'status'] },
  'jobs.ts activeJobs': {
    answer: { total_count: 1, jobs: [job] },
    needed: ['jobs', 'jobs.*.id', 'jobs.*.status'],
  },
  'jobs.ts activeRun': { answer: run, needed: ['id'] },
  'jobs.ts activeRuns': {
    answer: { total_count: 1, workflow_runs: [run] },
    needed: ['workflow_runs', 'workflow_runs.*.id'],
  },
  'runs.ts run': {
    answer: { ...run, conclusion: null, created_at: '2026-01-25T16:39:48Z' },
    needed: ['status'],
  },
  'runs.ts runJob': { answer: job, needed: ['name', 'status'] },
  'runs.ts runJobs': {
    answer: { total_count: 1, jobs: [job] },
    needed: ['total_count', 'jobs', 'jobs.*.name', 'jobs.*.status'],
  },
  'runners.ts page': {
    answer: { total_count: 1, runners: [runner] },
    needed: ['total_count', 'runners', ...ofRunner.map((name) => `runners.*.${name}`)],
  },
  'runners.ts registrationToken': {
    answer: { token: 'AABBCCDDEEFFGG', expires_at: '2026-01-25T17:39:48Z' },
    needed: ['token'],
  },
  'runners.ts runner': { answer: runner, needed: ofRunner },
  'github-version-expiry.ts deprecation': {
    answer: { runner_version: '2.336.0', runtime_deprecates_at: '2026-11-05T00:00:00Z' },
    needed: [],
  },
};
