import type { RunnerScope } from '../../../src/adapters/gitlab/jobs/visibility.ts';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import type { RegistrationId, RunnerName, Shard } from '../../../src/domain/shard.ts';
import type { RunnerRegistry } from '../../../src/ports/registry.ts';
import type { Answer } from '../../transport/fake-server.ts';
import { createScriptedGitLab, type ScriptedGitLab } from '../scripted-gitlab.ts';

export const id = '48213' as RegistrationId;
export const shard = { shard: 'pink' as Shard, runnerName: 'linux' as RunnerName };
export const one = 'GET /runners/48213';
export const list = 'GET /groups/10/runners';

const group: RunnerScope = { kind: 'group', groupId: 10 };

/** Opens the registry of a scope with scripted responses. */
export function openRegistry(
  script: Record<string, Answer | Answer[]>,
  scope: RunnerScope = group,
): ScriptedGitLab & { readonly registry: RunnerRegistry } {
  const gitlab = createScriptedGitLab(script);
  return { ...gitlab, registry: createGitLabRegistry({ client: gitlab.client, scope }) };
}
