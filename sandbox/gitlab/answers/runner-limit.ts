import { isStale } from '../contact.ts';
import type { Instance } from '../instance.ts';
import type { Runner } from '../state.ts';

/**
 * Returns why one more runner is refused, if it is. Stale runners do not count, paused ones do
 * (app/models/concerns/limitable.rb; app/models/ci/runner_namespace.rb and runner_project.rb).
 */
export function limitProblem(
  instance: Instance,
  { type, groupId, projectIds }: Pick<Runner, 'type' | 'groupId' | 'projectIds'>,
): string | undefined {
  const { runners, mostRunners: most } = instance.state;
  if (most === undefined || type === 'instance_type') return undefined;
  const own = runners
    .filter((one) => !isStale(instance.now(), one))
    .filter((one) =>
      type === 'group_type'
        ? one.type === type && one.groupId === groupId
        : one.projectIds.some((id) => projectIds.includes(id)),
    );
  if (own.length < most) return undefined;
  const place = type === 'group_type' ? 'group' : 'project';
  return `Maximum number of ci registered ${place} runners (${most}) exceeded`;
}
