import { describePhase } from '../domain/phase-words.ts';
import type { Service } from '../domain/service.ts';
import type { Shard } from '../domain/shard.ts';
import { type StageContext, wordsOf } from './context.ts';
import { readStatus } from './observe.ts';
import { lookAtService } from './service-watch.ts';

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
  const { settings } = context;
  try {
    const status = await readStatus(context);
    const [one, two] = settings.shards;
    if (status.kind !== 'known') {
      const unknown =
        status.kind === 'absent'
          ? 'No shard is active yet: there is no deployment_status.'
          : `Which shard is active is not known: ${status.reason}.`;
      return [unknown, await describeService(context, one), await describeService(context, two)]
        .filter((part) => part !== '')
        .join(' ');
    }
    const { active, inactive } = status;
    const service = await lookAtService(context, active);
    const parts = [
      tellActive(active, service),
      await describeService(context, inactive, { besides: service.kind === 'proven' }),
    ];
    return parts.filter((part) => part !== '').join(' ');
  } catch {
    return 'Which shard serves could not be found out.';
  }
}

function tellActive(active: Shard, service: Service): string {
  switch (service.kind) {
    case 'proven':
      return `${active} serves jobs: ${service.reason}.`;
    case 'closed':
      return `${active} is active and takes no job: ${service.reason}.`;
    case 'disproven':
      return `${active} is active and cannot serve: ${service.reason}.`;
    case 'unknown':
      return `${active} is active, and it is not proven to serve: ${service.reason}.`;
  }
}

/** Of a shard that is not active, only what takes customers' jobs is said, or may. */
async function describeService(
  context: StageContext,
  shard: Shard,
  { besides }: { besides: boolean } = { besides: false },
): Promise<string> {
  const service = await lookAtService(context, shard);
  if (service.kind === 'proven')
    return `${shard} serves jobs${besides ? ', too' : ''}: ${service.reason}.`;
  if (service.kind === 'unknown') return `${shard} may serve jobs: ${service.reason}.`;
  return '';
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
