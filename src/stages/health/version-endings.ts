import { type EndingJudgement, judgeEnding } from '../../domain/health/version-ending.ts';
import type { RegistrationId } from '../../domain/shard.ts';
import { isPortFailure } from '../../ports/failure.ts';
import type { Worker } from '../../ports/registry.ts';
import { type StageContext, wordsOf } from '../walk/context.ts';

export type KnownEnding = Exclude<EndingJudgement, { kind: 'fine' }>;

/** Of each version that is there, what ends within weeks. What nobody says is no reason for anything. */
export async function findEndings(
  context: Pick<StageContext, 'ports'>,
  workers: readonly Pick<Worker, 'version'>[],
): Promise<readonly KnownEnding[]> {
  const { registry, clock } = context.ports;
  const { words, registrationsPer } = registry.traits;
  // GitLab takes a runner of any version.
  if (registrationsPer === 'shard') return [];
  const found: KnownEnding[] = [];
  const versions = new Set(workers.map(({ version }) => version).filter((one) => one !== ''));
  for (const version of versions) {
    const ending = await registry.readEnding(version);
    const judged = judgeEnding({ version, ending, nowMs: clock.now(), words });
    if (judged.kind !== 'fine') found.push(judged);
  }
  return found;
}

/** For shards that serve: a warning, and what to do about it. Never a reason to stop. */
export async function warnOfEndings(
  context: StageContext,
  registrations: readonly { readonly id: RegistrationId }[],
): Promise<void> {
  const { ports, log } = context;
  const { managers } = wordsOf(context);
  if (ports.registry.traits.registrationsPer === 'shard') return;
  try {
    for (const { id } of registrations) {
      const found = await ports.registry.listWorkers(id);
      if (found.kind === 'absent') continue;
      for (const { text } of await findEndings(context, found.value))
        log.warn(`${text} (${id}). Build ${managers} with a newer version, and deploy them.`);
    }
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(
      `Until when the versions of the ${managers} are taken is not known: ${error.message}.`,
    );
  }
}
