import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import { fromPortFailure } from '../../../src/errors/external-errors.ts';
import { register } from '../../sandbox/gitlab/protocol/runner-client.ts';
import { failureOf } from '../../support/failure-of.ts';
import { json } from '../../transport/fake-server.ts';
import { createSandboxGitLab, isWrite, type SandboxGitLab } from '../sandbox-gitlab.ts';
import { page, runner } from '../scripted-gitlab.ts';
import { openRegistry as openScripted, id as scriptedId } from './scripted-registry.ts';

let gitlab: SandboxGitLab;
beforeEach(() => {
  gitlab = createSandboxGitLab();
});
afterEach(() => gitlab.world.close());

async function registerInProject(): Promise<RegistrationId> {
  const settings = { runner_type: 'project_type', group_id: undefined, project_id: 101 };
  return String((await register(gitlab.world, settings)).id) as RegistrationId;
}

function openRegistry() {
  const scope = { kind: 'project', projectId: 101 } as const;
  return createGitLabRegistry({ client: gitlab.client, scope });
}

async function projectsOf(id: RegistrationId): Promise<number[]> {
  const { body } = await gitlab.world.call('GET', `/runners/${id}/projects`, {
    token: gitlab.world.deployer,
  });
  return body.map((project: { id: number }) => project.id);
}

async function assign(id: RegistrationId, projectId: number): Promise<void> {
  await gitlab.world.call('POST', `/projects/${projectId}/runners`, {
    token: gitlab.world.deployer,
    body: { runner_id: Number(id) },
  });
}

async function isLocked(id: RegistrationId): Promise<boolean> {
  const { body } = await gitlab.world.call('GET', `/runners/${id}`, {
    token: gitlab.world.deployer,
  });
  return body.locked;
}

describe('the copy of assignments', () => {
  test('gives the candidate the projects of the retiring runner, once', async () => {
    const [from, to] = [await registerInProject(), await registerInProject()];
    await assign(from, 102);
    await assign(from, 201);
    const registry = openRegistry();
    expect(await registry.copyAssignments({ from, to, locked: false })).toEqual({
      added: 2,
      hidden: 0,
    });
    expect(await projectsOf(to)).toEqual([101, 102, 201]);
    expect(await registry.copyAssignments({ from, to, locked: false })).toEqual({
      added: 0,
      hidden: 0,
    });
  });

  test('checks the runner if a response was lost', async () => {
    const [from, to] = [await registerInProject(), await registerInProject()];
    await assign(from, 201);
    gitlab.disturb('lose', (request) => isWrite(request) && !request.url.endsWith('/graphql'));
    const copied = await openRegistry().copyAssignments({ from, to, locked: true });
    expect(copied).toEqual({ added: 1, hidden: 0 });
    expect(await isLocked(to)).toBe(true);
    expect(await projectsOf(to)).toEqual([101, 201]);
  });

  test('locks a runner only after it is assigned, again if the lock was missing', async () => {
    const [from, to] = [await registerInProject(), await registerInProject()];
    await assign(from, 201);
    gitlab.disturb('drop', (request) => request.method === 'PUT');
    const copied = openRegistry().copyAssignments({ from, to, locked: true });
    await expect(copied).rejects.toMatchObject({ kind: 'unreachable' });
    expect([await projectsOf(to), await isLocked(to)]).toEqual([[101, 201], false]);
    await openRegistry().copyAssignments({ from, to, locked: true });
    expect(await isLocked(to)).toBe(true);
  });

  test('assigns a runner that is already locked, and locks one without a predecessor', async () => {
    const [from, to] = [await registerInProject(), await registerInProject()];
    await openRegistry().copyAssignments({ to, locked: true });
    expect(await isLocked(to)).toBe(true);
    await assign(from, 201);
    await openRegistry().copyAssignments({ from, to, locked: true });
    expect([await projectsOf(to), await isLocked(to)]).toEqual([[101, 201], true]);
  });

  test.each(['17.5', '19.3'] as const)(
    'ends with the runner limit of another project, and its own, in GitLab %s',
    async (version) => {
      await gitlab.world.close();
      gitlab = createSandboxGitLab(version);
      const [from, to] = [await registerInProject(), await registerInProject()];
      await assign(from, 102);
      gitlab.world.gitlab.setRunnerLimit(1);
      const failure = await failureOf(openRegistry().copyAssignments({ from, to, locked: false }));
      expect(failure).toMatchObject({
        effect: 'none',
        ground: { kind: 'runner_limit', place: 'project', most: 1 },
      });
      const { code, exitCode, why = [] } = fromPortFailure(failure, 'hosted-runner onboard').fields;
      expect([code, exitCode]).toEqual(['RunnerLimit', 1]);
      expect(why[0]).toContain('POST /projects/102/runners');
    },
  );

  test('does nothing if the scope is not a project', async () => {
    const registry = createGitLabRegistry({
      client: gitlab.client,
      scope: { kind: 'group', groupId: 10 },
    });
    const id = '1' as RegistrationId;
    expect(await registry.copyAssignments({ from: id, to: id, locked: true })).toEqual({
      added: 0,
      hidden: 0,
    });
    expect(gitlab.sent).toEqual([]);
  });
});

describe('a runner of several projects', () => {
  const own = { kind: 'project', projectId: 101 } as const;
  const route404 = json(404, { error: '404 Not Found' });
  const details = {
    ...runner,
    locked: true,
    runner_type: 'project_type',
    projects: [{ id: 101 }, { id: 102 }],
  };

  test('leaves the other projects before its removal, even if GitLab has no list of them', async () => {
    const script = {
      'GET /runners/48213/projects': route404,
      'GET /runners/48213': json(200, details),
      'PUT /runners/48213': json(200, details),
      'DELETE /projects/102/runners/48213': json(200, {}),
      'DELETE /runners/48213': json(200, {}),
    };
    const { registry, sent } = openScripted(script, own);
    await expect(registry.retire(scriptedId)).resolves.toBe('retired');
    expect(sent).toEqual([
      'GET /runners/48213/projects',
      'GET /runners/48213',
      'POST /api/graphql',
      'GET /runners/48213',
      'PUT /runners/48213',
      'DELETE /projects/102/runners/48213',
      'DELETE /runners/48213',
    ]);
  });

  const places = (projectCount: number, owner: number) =>
    json(200, {
      data: { runner: { projectCount, ownerProject: { id: `gid://gitlab/Project/${owner}` } } },
    });

  test('leaves all projects except its owner, even if the owner is not the scope’s project', async () => {
    const { registry, sent } = openScripted(
      {
        'GET /runners/48213/projects': page([{ id: 101 }, { id: 102 }]),
        'POST /api/graphql': places(2, 102),
        'GET /runners/48213': json(200, { ...details, locked: false }),
        'DELETE /projects/101/runners/48213': json(200, {}),
        'DELETE /runners/48213': json(200, {}),
      },
      own,
    );
    await expect(registry.retire(scriptedId)).resolves.toBe('retired');
    expect(sent.filter((call) => call.startsWith('DELETE'))).toEqual([
      'DELETE /projects/101/runners/48213',
      'DELETE /runners/48213',
    ]);
  });

  test('stays if it has projects that the token cannot see, and the error reports them', async () => {
    const message = '403 Forbidden - Runner associated with more than one project';
    const { registry } = openScripted(
      {
        'GET /runners/48213/projects': page([{ id: 101 }]),
        'POST /api/graphql': places(3, 101),
        'DELETE /runners/48213': json(403, { message }),
      },
      own,
    );
    await expect(registry.retire(scriptedId)).rejects.toMatchObject({
      kind: 'denied',
      effect: 'none',
      detail: `${message}; the token sees its projects 101; 2 more are hidden: an administrator, or a Maintainer of these projects, must remove runner 48213 from them`,
    });
  });

  test('passes its visible projects to another runner, and reports the count of hidden ones', async () => {
    const { registry } = openScripted(
      {
        'GET /runners/48213/projects': page([{ id: 101 }]),
        'GET /runners/48214/projects': page([{ id: 101 }]),
        'POST /api/graphql': places(3, 101),
      },
      own,
    );
    const to = '48214' as RegistrationId;
    const copied = await registry.copyAssignments({ from: scriptedId, to, locked: false });
    expect(copied).toEqual({ added: 0, hidden: 2 });
  });
});
