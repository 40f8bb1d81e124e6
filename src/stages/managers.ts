import type { Evidence } from '../domain/health.ts';
import type { RegistrationId } from '../domain/shard.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { Worker } from '../ports/registry.ts';
import type { StageContext } from './context.ts';
import { note, reportsOf, type Watch } from './watch.ts';

export async function lookAtManagers(context: StageContext, watch: Watch): Promise<Evidence> {
  const { registration } = watch.entry;
  if (registration === undefined)
    return note(context, 'manager', 'bad', 'the shard has no registration');
  const expected = context.settings.managers;
  try {
    const found = await context.ports.registry.listWorkers(registration);
    if (found.kind === 'absent')
      return note(context, 'manager', 'bad', `runner ${registration} does not exist any more`);
    const workers = accepted(found.value, watch);
    watch.workers = workers;
    if (workers.length >= expected) {
      const versions = [...new Set(workers.map(({ version }) => version))].join(', ');
      return note(
        context,
        'manager',
        'good',
        `manager ${workers.map(({ id }) => id).join(', ')} (gitlab-runner ${versions}) has contacted GitLab`,
      );
    }
    return note(
      context,
      'manager',
      'missing',
      missingManagers(registration, found.value, { watch, expected }),
    );
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return note(context, 'manager', 'unknown', `the managers cannot be listed: ${error.message}`);
  }
}

function missingManagers(
  id: RegistrationId,
  all: readonly Worker[],
  { watch, expected }: { watch: Watch; expected: number },
): string {
  if (all.length === 0) return `GitLab has never heard from a manager of runner ${id}`;
  return `${watch.workers.length} of ${expected} managers of runner ${id} have contacted GitLab since the last apply`;
}

/** Born by the last apply (a higher id than any before it), or proven by the host itself to be its process. */
function accepted(workers: readonly Worker[], watch: Watch): readonly Worker[] {
  const floor = watch.entry.highestWorkerBeforeApply ?? 0;
  const onHosts = new Set(
    reportsOf(watch).flatMap(({ process, systemId }) =>
      process === 'running' && systemId !== undefined ? [systemId] : [],
    ),
  );
  return workers.filter(
    (worker) =>
      worker.contactedAt !== undefined && (worker.id > floor || onHosts.has(worker.systemId)),
  );
}
