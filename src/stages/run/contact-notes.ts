import { withContacts } from '../../domain/deployment/record.ts';
import type { RegistrationId } from '../../domain/shard.ts';
import type { Found, Registration, Worker } from '../../ports/registry.ts';
import type { StageContext } from '../context/context.ts';
import { withMaintenance } from '../observe/maintenance-mode.ts';
import { changingWrites } from '../record/journal.ts';

/**
 * Returns a context that adds observations to the next write of the record: runners with a contact
 * or a manager, and the time of refused writes. No separate write is needed, because a removal
 * writes its phase first.
 */
export function notingObservations(context: StageContext): StageContext {
  const seen = new Set<string>();
  const { ports, journal } = context;
  return {
    ...context,
    ports: { ...ports, registry: watched(ports.registry, seen) },
    journal: changingWrites(journal, (record) =>
      withMaintenance(context, withContacts(record, seen)),
    ),
  };
}

type Registry = StageContext['ports']['registry'];

function watched(registry: Registry, seen: Set<string>): Registry {
  const see = (one: Registration) => {
    if (one.contacted) seen.add(one.id);
  };
  const reads: Pick<Registry, 'findByShard' | 'find' | 'listWorkers'> = {
    async findByShard(...args) {
      const all = await registry.findByShard(...args);
      for (const one of all) see(one);
      return all;
    },
    async find(id, age) {
      const found = await registry.find(id, age);
      if (found.kind === 'found') see(found.value);
      return found;
    },
    async listWorkers(id: RegistrationId): Promise<Found<readonly Worker[]>> {
      const found = await registry.listWorkers(id);
      if (found.kind === 'found' && found.value.length > 0) seen.add(id);
      return found;
    },
  };
  return { ...registry, ...reads };
}
