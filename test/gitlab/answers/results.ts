const at = '2026-01-25T16:39:48.066Z';
const project = 'https://gitlab.example.com/acme/app';

function registration(version: string, changes: object = {}) {
  return {
    id: '48213',
    description: 'pink-linux',
    note: 'note',
    paused: false,
    tags: ['linux', 'docker'],
    runUntagged: false,
    contacted: true,
    execution: executionOf(version),
    url: 'https://gitlab.example.com/groups/acme/-/runners/48213',
    ...changes,
  };
}

/** Returns the execution status, which REST has from 18.9 on. */
function executionOf(version: string): 'idle' | 'unknown' {
  return ['18.9', '19.1', '19.3'].includes(version) ? 'idle' : 'unknown';
}

const unplaced = { url: undefined };
const found = (value: unknown) => ({ kind: 'found', value });
const canary = {
  id: '5001',
  status: 'running',
  createdAt: at,
  url: `${project}/-/jobs/5001`,
  startedAt: at,
  registrationId: '48213',
  workerId: 91,
  systemId: 's_89e5e9956577',
};
const { registrationId, workerId, systemId, ...unassigned } = canary;
const job = {
  id: '5001',
  name: 'canary',
  project: 'acme/app',
  url: `${project}/-/jobs/5001`,
  startedAt: at,
  queuedMs: 400,
};
const finished = { ...job, projectId: '201', status: 'success', durationMs: 12_300 };
const granted = [
  { what: 'token', outcome: 'granted', detail: '"deploy" expires on 2026-12-31; scopes api' },
  { what: 'scope create_runner', outcome: 'granted', detail: 'included in api' },
  { what: 'scope manage_runner', outcome: 'granted', detail: 'included in api' },
  { what: 'scope read_api', outcome: 'granted', detail: 'included in api' },
  { what: 'role Owner of group 11', outcome: 'granted', detail: 'deployer has access level 50' },
  { what: 'list runners (GET /groups/11/runners)', outcome: 'granted', detail: 'answered' },
];
const alive = { kind: 'alive', reason: 'pipeline 9001 is running: it has not ended' };
const deleted = { kind: 'over', reason: 'pipeline 9001 was deleted' };

type Result = (version: string) => unknown;

/** Exact results of the port's method by `by call`, with a ` variant` for an unusual response. */
export const results: Readonly<Record<string, Result>> = {
  'registry.findByShard GET /groups/:id/runners': (version) => [registration(version)],
  'registry.findByShard GET /projects/:id/runners': (version) => [
    registration(version, { url: `${project}/-/runners/48213` }),
  ],
  'registry.findByShard GET /runners/all': (version) => [registration(version, unplaced)],

  'registry.find GET /runners/:id': (version) => found(registration(version)),
  'registry.find GET /runners/:id paused_and_contacted': (version) =>
    found(registration(version, { paused: true })),
  'registry.find GET /runners/:id never_contacted': (version) =>
    found(registration(version, { contacted: false })),
  'registry.find GET /runners/:id stale_and_paused': (version) =>
    found(registration(version, { paused: true })),
  'registry.find GET /runners/:id reader_who_may_not_update': (version) =>
    found(registration(version, { note: '' })),
  'registry.listWorkers GET /runners/:id/managers': (version) =>
    found([
      {
        id: 91,
        systemId: 's_89e5e9956577',
        version: '18.7.0',
        createdAt: at,
        contactedAt: at,
        execution: executionOf(version),
      },
    ]),
  'registry.listJobs GET /runners/:id/jobs': () => found([{ ...job, status: 'running' }]),
  'registry.listFinishedJobs GET /runners/:id/jobs': () => found([finished]),
  'registry.listNewestJobs GET /runners/:id/jobs': () =>
    found({ jobs: [{ ...job, status: 'running' }], finished: [], isWhole: true }),
  'registry.listBegunJobs GET /runners/:id/jobs': () =>
    found([{ id: job.id, name: job.name, startedAt: job.startedAt }]),
  'registry.readJobHistory GET /runners/:id/jobs': () =>
    found({ jobs: [finished], older: { failed: [], others: 0 } }),
  'registry.probe of the token GET /personal_access_tokens/self': () => granted,
  'registry.probe of the list GET /groups/:id/runners': () => granted,
  'registry.probe of the user GET /user': () => granted,
  'registry.probe of the role GET /groups/:id/members/all/:user_id': () => granted,
  'readServer GET /metadata': (version) => ({ version: `${version}.1-ee`, enterprise: true }),

  'registry.create POST /user/runners': () => ({ id: '48213', token: 'glrt-MADEUP' }),
  'registry.route PUT /runners/:id': () => undefined,
  'registry.setIntake PUT /runners/:id': () => undefined,
  'registry.retire DELETE /runners/:id': () => 'retired',
  'registry.resetToken POST /runners/:id/reset_authentication_token': () => ({
    token: 'glrt-MADEUP2',
  }),
  'registry.copyAssignments of what there is GET /runners/:id/projects': () => ({
    added: 1,
    hidden: 'unknown',
  }),
  'registry.retire of several projects DELETE /projects/:id/runners/:runner_id': () => 'retired',
  'registry.copyAssignments POST /projects/:id/runners': () => ({ added: 1, hidden: 'unknown' }),

  'canaryJob.findNewest GET /projects/:id/pipelines/:pipeline_id/jobs': () => canary,
  'canaryJob.findNewest GET /projects/:id/pipelines/:pipeline_id/jobs runner_row_gone': () =>
    unassigned,
  'canaryJob.find GET /projects/:id/jobs/:job_id': () => canary,
  'canaryJob.find GET /projects/:id/jobs/:job_id runner_row_gone': () => unassigned,
  'canaryJob.start POST /projects/:id/jobs/:job_id/retry': () => ({
    id: '5002',
    status: 'waiting',
    createdAt: at,
    url: `${project}/-/jobs/5001`,
  }),
  'canaryJob.start POST /projects/:id/jobs/:job_id/play': () => canary,
  'canaryJob.cancel POST /projects/:id/jobs/:job_id/cancel': () => 1,
  'canaryProject.findNewest GET /projects/:id/pipelines': () => canary,
  'canaryProject.start POST /projects/:id/pipeline': () => canary,

  'pipelines.readOwner GET /projects/:id/pipelines/:pipeline_id': () => alive,
  'pipelines.readOwner of its jobs GET /projects/:id/pipelines/:pipeline_id/jobs': () => alive,
  'pipelines.readOwner of its jobs GET /projects/:id/pipelines/:pipeline_id/jobs runner_row_gone':
    () => alive,
  'pipelines.readLockHolder GET /projects/:id/jobs/:job_id': () => ({
    kind: 'alive',
    reason: 'job canary (5001) is running',
  }),
  'pipelines.readLockHolder GET /projects/:id/jobs/:job_id runner_row_gone': () => ({
    kind: 'alive',
    reason: 'job canary (5001) is running',
  }),
  'pipelines.readLastProvisions GET /projects/:id/pipelines/:pipeline_id/jobs': () => [],
  'pipelines.readLastProvisions GET /projects/:id/pipelines/:pipeline_id/jobs runner_row_gone':
    () => [],
  'pipelines.readOwner of a pipeline that is gone GET /projects/:id': () => deleted,
  'pipelines.readOwner of a pipeline that is gone GET /projects/:id/pipelines': () => deleted,
};
