import type { RunnerScope } from '../../../src/adapters/gitlab/jobs/visibility.ts';
import { readServer } from '../../../src/adapters/gitlab/metadata.ts';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import type { RegistrationId, RunnerName, Shard } from '../../../src/domain/shard.ts';
import { token } from '../scripted-gitlab.ts';
import type { AnsweringGitLab, Overrides } from './answering-gitlab.ts';
import { endpointsOf, type KnownAnswer } from './known-answers.ts';
import { changed, empty, type Question } from './question.ts';

const id = '48213' as RegistrationId;
const shard = { shard: 'pink' as Shard, runnerName: 'linux' as RunnerName };
const group: RunnerScope = { kind: 'group', groupId: 11 };
const project: RunnerScope = { kind: 'project', projectId: 201 };
const instance: RunnerScope = { kind: 'instance' };

function registry({ client }: AnsweringGitLab, scope = group) {
  return createGitLabRegistry({ client, scope });
}

const runner = 'GET /runners/:id';
const assigned = { id: 201, name: 'app', web_url: 'https://gitlab.example.com/acme/app' };
const other = { id: 202, name: 'lib', web_url: 'https://gitlab.example.com/acme/lib' };
const ofProject = { runner_type: 'project_type', groups: [], projects: [assigned] };
const ofInstance = { runner_type: 'instance_type', groups: [], projects: [] };

export const lists: readonly Question[] = [
  {
    by: 'registry.findByShard',
    call: 'GET /groups/:id/runners',
    send: (gitlab) => registry(gitlab).findByShard(shard),
  },
  {
    by: 'registry.findByShard',
    call: 'GET /projects/:id/runners',
    world: (version) => ({ [runner]: changed(version, runner, ofProject) }),
    send: (gitlab) => registry(gitlab, project).findByShard(shard),
  },
  {
    by: 'registry.findByShard',
    call: 'GET /runners/all',
    world: (version) => ({ [runner]: changed(version, runner, ofInstance) }),
    send: (gitlab) => registry(gitlab, instance).findByShard(shard),
  },
];

export const reads: readonly Question[] = [
  { by: 'registry.find', call: runner, send: (gitlab) => registry(gitlab).find(id) },
  {
    by: 'registry.listWorkers',
    call: 'GET /runners/:id/managers',
    send: (gitlab) => registry(gitlab).listWorkers(id),
  },
  {
    by: 'registry.listJobs',
    call: 'GET /runners/:id/jobs',
    send: (gitlab) => registry(gitlab).listJobs(id),
  },
  {
    by: 'registry.listFinishedJobs',
    call: 'GET /runners/:id/jobs',
    values: { status: 'success' },
    send: (gitlab) => registry(gitlab).listFinishedJobs(id),
  },
  {
    by: 'registry.listNewestJobs',
    call: 'GET /runners/:id/jobs',
    send: (gitlab) => registry(gitlab).listNewestJobs(id),
  },
  {
    by: 'registry.listBegunJobs',
    call: 'GET /runners/:id/jobs',
    send: (gitlab) => registry(gitlab).listBegunJobs(id, 's_89e5e9956577'),
  },
  {
    by: 'registry.readJobHistory',
    call: 'GET /runners/:id/jobs',
    values: { status: 'success' },
    send: (gitlab) => registry(gitlab).readJobHistory(id),
  },
  {
    by: 'registry.probe of the token',
    call: 'GET /personal_access_tokens/self',
    about: 'token',
    send: (gitlab) => registry(gitlab).probe(group),
  },
  {
    by: 'registry.probe of the user',
    call: 'GET /user',
    about: 'role',
    send: (gitlab) => registry(gitlab).probe(group),
  },
  {
    by: 'registry.probe of the role',
    call: 'GET /groups/:id/members/all/:user_id',
    about: 'role',
    send: (gitlab) => registry(gitlab).probe(group),
  },
  {
    by: 'registry.probe of the list',
    call: 'GET /groups/:id/runners',
    about: 'list runners',
    send: (gitlab) => registry(gitlab).probe(group),
  },
  {
    by: 'readServer',
    call: 'GET /metadata',
    send: ({ client, transport }) => {
      const { url, redactor } = client;
      return readServer({ url, token, transport, redactor });
    },
  },
];

/**
 * Questions about writes. After a write with an unknown effect, a read finds the runner unchanged.
 */
export const writes: readonly Question[] = [
  {
    by: 'registry.create',
    call: 'POST /user/runners',
    send: (gitlab) =>
      registry(gitlab).create({
        shard,
        settings: {
          scope: group,
          tags: ['linux'],
          runUntagged: false,
          locked: false,
          accessLevel: 'not_protected',
        },
        tags: ['canary-201-12-linux'],
        note: 'note',
      }),
  },
  {
    by: 'registry.route',
    call: 'PUT /runners/:id',
    world: (version) => ({ [runner]: changed(version, runner, { tag_list: ['canary'] }) }),
    send: (gitlab) => registry(gitlab).route(id, { tags: ['linux', 'docker'], runUntagged: false }),
  },
  {
    by: 'registry.setIntake',
    call: 'PUT /runners/:id',
    world: (version) => ({ [runner]: changed(version, runner, { paused: false }) }),
    send: (gitlab) => registry(gitlab).setIntake(id, 'closed'),
  },
  {
    by: 'registry.retire',
    call: 'DELETE /runners/:id',
    // A missing runner is also missing in reads.
    world: (_version, _is, itself): Overrides =>
      itself.status === 404 ? { [runner]: itself } : {},
    send: (gitlab) => registry(gitlab).retire(id),
  },
  {
    by: 'registry.resetToken',
    call: 'POST /runners/:id/reset_authentication_token',
    send: (gitlab) => registry(gitlab).resetToken(id),
  },
];

/** Questions about one runner of the project, and another one that is not assigned yet. */
export const assignments: readonly Question[] = [
  ['registry.copyAssignments of what there is', 'GET /runners/:id/projects'] as const,
  ['registry.copyAssignments', 'POST /projects/:id/runners'] as const,
].map(([by, call]) => ({
  by,
  call,
  world: (version) => ({
    [runner]: changed(version, runner, ofProject),
    'GET /runners/48214': changed(version, runner, { ...ofProject, id: 48214, projects: [] }),
    ...(hasProjects(version)
      ? { 'GET /runners/48214/projects': empty(version, 'GET /runners/:id/projects') }
      : {}),
  }),
  send: (gitlab) =>
    registry(gitlab, project).copyAssignments({
      from: id,
      to: '48214' as RegistrationId,
      locked: false,
    }),
}));

/** Questions about a runner of two projects that leaves the second one. */
export const departures: readonly Question[] = [
  {
    by: 'registry.retire of several projects',
    call: 'DELETE /projects/:id/runners/:runner_id',
    world: (version) => ({
      [runner]: changed(version, runner, { ...ofProject, projects: [assigned, other] }),
      'PUT /runners/:id': changed(version, 'PUT /runners/:id', ofProject),
      ...(hasProjects(version)
        ? { 'GET /runners/:id/projects': several(version, [assigned, other]) }
        : {}),
    }),
    send: (gitlab) => registry(gitlab, project).retire(id),
  },
];

function several(version: string, body: readonly object[]): KnownAnswer {
  const { headers = {}, ...answer } = empty(version, 'GET /runners/:id/projects');
  return { ...answer, headers: { ...headers, 'x-total': String(body.length) }, body };
}

function hasProjects(version: string): boolean {
  const found = endpointsOf(version).find(({ call }) => call === 'GET /runners/:id/projects');
  return found?.success !== undefined;
}
