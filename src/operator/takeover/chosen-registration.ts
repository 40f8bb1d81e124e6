import { refuseOfAnother } from '../../domain/deployment/guards/belonging.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { noSuchRegistration, registrationOfAnother } from '../../errors/takeover.ts';
import type { Registration } from '../../ports/registry.ts';
import { findRegistrations } from '../../stages/observe/observe.ts';
import { type StageContext, wordsOf } from '../../stages/walk/context.ts';

/** What a person has typed. */
export interface Activation {
  readonly shard: Shard;
  readonly registration?: RegistrationId;
}

/** What the registry has under the id that a person has named. */
export type Named = Registration | 'absent' | 'not_asked';

/** Asked only where a person has named one, and where there are ids. */
export async function findNamed(
  context: StageContext,
  id: RegistrationId | undefined,
): Promise<Named> {
  if (id === undefined || !wordsOf(context).hasIds) return 'not_asked';
  const found = await context.ports.registry.find(id);
  return found.kind === 'found' ? found.value : 'absent';
}

/** The one that a person has named; undefined where none is. */
export function chooseNamed(
  context: StageContext,
  { shard, registration: id }: Activation,
  named: Named,
): Registration | undefined {
  if (id === undefined) return undefined;
  const words = wordsOf(context);
  const refuse = (reason: string) =>
    noSuchRegistration({ runner: context.settings.runnerName, shard, words, found: [], reason });
  if (named === 'not_asked')
    throw refuse(`a ${words.registration} of ${words.registry} has no id beside its shard's name`);
  if (named === 'absent') throw refuse(`there is no ${words.registration} ${id}`);
  return named;
}

/** The only one that has the shard's description. */
export async function findOnly(context: StageContext, shard: Shard): Promise<Registration> {
  const words = wordsOf(context);
  const found = await findRegistrations(context, shard);
  if (found.length === 1 && found[0] !== undefined) return found[0];
  throw noSuchRegistration({
    runner: context.settings.runnerName,
    shard,
    words,
    reason: `${found.length} ${words.registration}s have its description`,
    found: words.hasIds ? found.map(({ id }) => id) : [],
    isMissing: found.length === 0,
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
