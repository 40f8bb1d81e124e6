import { refuseOfAnother } from '../domain/deployment/guards/belonging.ts';
import type { RegistrationId, Shard } from '../domain/shard.ts';
import { noSuchRegistration, registrationOfAnother } from '../errors/takeover.ts';
import type { Registration } from '../ports/registry.ts';
import { type StageContext, wordsOf } from '../stages/walk/context.ts';
import { findRegistrations } from '../stages/walk/observe.ts';

/** The one that a person has named, or the only one that has the shard's description. */
export async function chooseRegistration(
  context: StageContext,
  shard: Shard,
  id?: RegistrationId,
): Promise<Registration> {
  const words = wordsOf(context);
  const asked = { runner: context.settings.runnerName, shard, words, found: [] };
  if (id !== undefined) {
    if (!words.hasIds) {
      const reason = `a ${words.registration} of ${words.registry} has no id beside its shard's name`;
      throw noSuchRegistration({ ...asked, reason });
    }
    const found = await context.ports.registry.find(id);
    if (found.kind === 'found') return found.value;
    throw noSuchRegistration({ ...asked, reason: `there is no ${words.registration} ${id}` });
  }
  const found = await findRegistrations(context, shard);
  if (found.length === 1 && found[0] !== undefined) return found[0];
  throw noSuchRegistration({
    ...asked,
    reason: `${found.length} ${words.registration}s have its description`,
    found: words.hasIds ? found.map(({ id }) => id) : [],
  });
}

/** Before anything is written: what is the other shard's stays as it is. */
export function refuseAnother(
  context: StageContext,
  facts: Omit<Parameters<typeof refuseOfAnother>[0], 'settings'>,
): void {
  const { settings } = context;
  const { shard, registration } = facts;
  const reason = refuseOfAnother({ ...facts, settings });
  if (reason === undefined) return;
  const { runnerName: runner } = settings;
  const words = wordsOf(context);
  throw registrationOfAnother({ runner, shard, id: registration.id, reason, words });
}
