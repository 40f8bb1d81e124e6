import { isServing } from '../domain/guards.ts';
import { describePhase } from '../domain/phase-words.ts';
import { shardEntry } from '../domain/record.ts';
import { type StageContext, wordsOf } from './context.ts';
import { readStatus } from './observe.ts';

/**
 * The line that a person needs at three in the morning: which shard serves, what proves it, what was
 * left behind. Never fails: what cannot be found out is said to be not known.
 */
export async function describeSituation(context: StageContext): Promise<string> {
  const isReadable = await tryRecord(context);
  const parts = [
    await describeActive(context),
    isReadable ? describeRest(context) : 'What is recorded of its deployment could not be read.',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** A lock or a hold ends a run before it has read the record. */
async function tryRecord({ journal }: StageContext): Promise<boolean> {
  if (journal.version() > 0) return true;
  return journal.read().then(
    () => true,
    () => false,
  );
}

async function describeActive(context: StageContext): Promise<string> {
  const { ports, settings, journal } = context;
  try {
    const status = await readStatus(context);
    if (status.kind === 'absent') return 'No shard is active yet: there is no deployment_status.';
    if (status.kind === 'invalid') return `Which shard is active is not known: ${status.reason}.`;
    const { active } = status;
    const recorded =
      journal.version() === 0 ? undefined : shardEntry(journal.current(), active).registration;
    const found = recorded === undefined ? undefined : await ports.registry.find(recorded);
    const registration =
      found?.kind === 'found'
        ? found.value
        : (await ports.registry.findByShard({ runnerName: settings.runnerName, shard: active }))[0];
    if (registration !== undefined && isServing(registration, settings)) {
      const words = wordsOf(context);
      return `${active} serves jobs: ${words.registration} ${registration.id} is ${words.unpaused}, has its ${words.tags} and was contacted.`;
    }
    return `${active} is active, and nothing proves that it serves${registration === undefined ? ': it has no registration' : ''}.`;
  } catch {
    return 'Which shard serves could not be found out.';
  }
}

function describeRest(context: StageContext): string {
  const { journal } = context;
  if (journal.version() === 0) return 'No deployment is recorded.';
  try {
    return describePhase(journal.current().deployment, wordsOf(context));
  } catch {
    return '';
  }
}
