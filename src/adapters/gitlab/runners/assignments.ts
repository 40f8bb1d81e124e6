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
 * Only a project's runner is assigned to projects; the others serve whatever is below them. A locked
 * one is assigned by administrators alone, so that it is locked last, and again by whoever comes
 * after one that was stopped in between.
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
 * Removes a runner; one of several projects leaves all but the one that owns it first: GitLab refuses
 * to remove one that has several, and to take it from its owner. A locked one is not taken from any.
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
    // A missing permission is the token's: who else may take the runner does not matter.
    if (error.ground !== undefined) throw error;
    const { kind, effect, source, status } = error;
    const detail = `${error.detail}; ${describeHidden(places)}: an administrator, or a Maintainer of them, has to take runner ${id} from them`;
    throw new PortFailure({ kind, effect, source, status, detail });
  }
}

/** What it has to leave: without a word about the owner, the scope's project counts as that. */
export function othersOf({ seen, owner }: Places, scope: RunnerScope): readonly number[] {
  const own = owner ?? (scope.kind === 'project' ? scope.projectId : undefined);
  return seen.filter((each) => each !== own);
}

export function describeHidden({ seen, hidden, refusal }: Places): string {
  const named = seen.length === 0 ? 'none' : seen.join(', ');
  return hidden === 'unknown'
    ? `the token sees of its projects ${named}, and there may be others${refusal === undefined ? '' : ` (GitLab: ${refusal})`}`
    : `the token sees of its projects ${named}, and not ${hidden} more`;
}
