import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { createGitLabRegistry } from '../../src/gitlab/registry.ts';
import { register } from '../sandbox/gitlab/runner-client.ts';
import { json } from '../transport/fake-server.ts';
import { createSandboxGitLab, isWrite, type SandboxGitLab } from './sandbox-gitlab.ts';
import { runner } from './scripted-gitlab.ts';
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

describe('copying assignments', () => {
  test("gives the candidate the retiring one's projects, once", async () => {
    const [from, to] = [await registerInProject(), await registerInProject()];
    await assign(from, 102);
    await assign(from, 201);
    const registry = openRegistry();
    expect(await registry.copyAssignments(from, to)).toBe(2);
    expect(await projectsOf(to)).toEqual([101, 102, 201]);
    expect(await registry.copyAssignments(from, to)).toBe(0);
  });

  test('is settled by a look where an answer was lost', async () => {
    const [from, to] = [await registerInProject(), await registerInProject()];
    await assign(from, 201);
    gitlab.disturb('lose', isWrite);
    expect(await openRegistry().copyAssignments(from, to)).toBe(1);
    expect(await projectsOf(to)).toEqual([101, 201]);
  });

  test('does nothing where the scope is not a project', async () => {
    const registry = createGitLabRegistry({
      client: gitlab.client,
      scope: { kind: 'group', groupId: 10 },
    });
    const id = '1' as RegistrationId;
    expect(await registry.copyAssignments(id, id)).toBe(0);
    expect(gitlab.sent).toEqual([]);
  });
});

describe('a runner of several projects', () => {
  const own = { kind: 'project', projectId: 101 } as const;
  const route404 = json(404, { error: '404 Not Found' });
  const details = { ...runner, runner_type: 'project_type', projects: [{ id: 101 }, { id: 102 }] };

  test('leaves the others before it is removed, also where there is no list of them', async () => {
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
      'PUT /runners/48213',
      'DELETE /projects/102/runners/48213',
      'DELETE /runners/48213',
    ]);
  });
});
