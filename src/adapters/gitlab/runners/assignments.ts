import type { RegistrationId } from '../../../domain/shard.ts';
import { isPortFailure, PortFailure } from '../../../ports/failure.ts';
import type { CopiedAssignments } from '../../../ports/registry.ts';
import { settleLost } from '../../transport/answers/answer-loss.ts';
import { isRefusal } from '../../transport/answers/refusal.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import type { RunnerScope } from '../jobs/visibility.ts';
import { listProjects, type Places, readPlaces } from './places.ts';
import { numberOf, readDetails } from './rest-runner.ts';

export interface Assignment {
  readonly from?: RegistrationId;
  readonly to: RegistrationId;
  readonly locked: boolean;
}

/**
 * Assigns a runner to the projects of another. Only project runners have assignments; others accept
 * jobs from everything below them. Only administrators may assign a locked runner, so it is locked
 * last. After an interruption, the next run locks it.
 */
export async function copyAssignments(
  client: GitLabClient,
  scope: RunnerScope,
  { from, to, locked }: Assignment,
): Promise<CopiedAssignments> {
  if (scope.kind !== 'project') return { added: 0, hidden: 0 };
  const { seen, hidden } =
    from === undefined ? { seen: [], hidden: 0 } : await readPlaces(client, from);
  const present = from === undefined ? [] : await listProjects(client, to);
  const missing = seen.filter((id) => !present.includes(id));
  if (missing.length > 0) await ensureLocked(client, to, false);
  for (const projectId of missing) {
    await settleLost<unknown>(
      () => client.runners.enable(projectId, numberOf(to)),
      async () => ((await listProjects(client, to)).includes(projectId) ? true : undefined),
    );
  }
  if (locked) await ensureLocked(client, to, true);
  return { added: missing.length, hidden };
}

async function ensureLocked(
  client: GitLabClient,
  id: RegistrationId,
  locked: boolean,
): Promise<void> {
  if (((await readDetails(client, id)).locked ?? !locked) === locked) return;
  await settleLost<unknown>(
    () => client.runners.edit(numberOf(id), { locked }),
    async () => ((await readDetails(client, id)).locked === locked ? true : undefined),
  );
}

/**
 * Removes a runner. GitLab refuses to remove a runner of several projects, or to take it from its
 * owner project. The runner is therefore taken from all other projects first. A locked runner is
 * unlocked before.
 */
export async function removeFromProjects(
  client: GitLabClient,
  scope: Extract<RunnerScope, { kind: 'project' }>,
  id: RegistrationId,
): Promise<void> {
  const places = await readPlaces(client, id);
  const others = othersOf(places, scope);
  if (others.length > 0) await ensureLocked(client, id, false);
  for (const projectId of others) {
    await settleLost<unknown>(
      () => client.raw.delete(`projects/${projectId}/runners/${numberOf(id)}`),
      async () => ((await listProjects(client, id)).includes(projectId) ? undefined : true),
    );
  }
  try {
    await client.runners.remove({ runnerId: numberOf(id) });
  } catch (error) {
    if (!isPortFailure(error) || !isRefusal(error, 403) || places.hidden === 0) throw error;
    // The token lacks a permission, so the hidden projects are not the cause.
    if (error.ground !== undefined) throw error;
    const { kind, effect, source, status } = error;
    const detail = `${error.detail}; ${describeHidden(places)}: an administrator, or a Maintainer of these projects, must remove runner ${id} from them`;
    throw new PortFailure({ kind, effect, source, status, detail });
  }
}

/**
 * Lists the projects that the runner must leave. If the owner is unknown, the scope's project
 * counts as owner.
 */
export function othersOf({ seen, owner }: Places, scope: RunnerScope): readonly number[] {
  const own = owner ?? (scope.kind === 'project' ? scope.projectId : undefined);
  return seen.filter((each) => each !== own);
}

export function describeHidden({ seen, hidden, refusal }: Places): string {
  const named = seen.length === 0 ? 'none' : seen.join(', ');
  return hidden === 'unknown'
    ? `the token sees its projects ${named}, and others may exist${refusal === undefined ? '' : ` (GitLab: ${refusal})`}`
    : `the token sees its projects ${named}; ${hidden} more are hidden`;
}
