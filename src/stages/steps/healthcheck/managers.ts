import type { Evidence } from '../../../domain/health/evidence.ts';
import type { RegistryTerms } from '../../../domain/registry-terms.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import type { Worker } from '../../../ports/registry.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { findVersionExpiries } from './version-expiry-search.ts';
import { note, reportsOf, type Watch } from './watch.ts';

export async function checkManagers(context: StageContext, watch: Watch): Promise<Evidence> {
  const { registration } = watch.entry;
  if (registration === undefined) return note(context, 'manager', 'bad', 'the shard has no runner');
  const expected = context.settings.managers;
  const words = wordsOf(context);
  try {
    const found = await context.ports.registry.listWorkers(registration);
    if (found.kind === 'absent')
      return note(
        context,
        'manager',
        'bad',
        `${words.registration} ${registration} no longer exists`,
      );
    const workers = accepted(found.value, watch);
    watch.workers = workers;
    const endings = await findVersionExpiries(context, workers);
    const ended = endings.filter(({ kind }) => kind !== 'soon');
    if (ended.length > 0) {
      const why = ended.map(({ text }) => text).join('; ');
      return note(context, 'manager', 'bad', `${why}: build the candidate with a newer version`);
    }
    if (workers.length >= expected) {
      const versions = [...new Set(workers.map(({ version }) => version))].join(', ');
      return note(
        context,
        'manager',
        'good',
        `${words.manager} ${workers.map(({ id }) => id).join(', ')} (${words.program} ${versions}) has contacted ${words.registry}${warnOfOld(workers, words)}${warnOfStay(context, workers)}${endings.map(({ text }) => `; warning: ${text}`).join('')}`,
      );
    }
    return note(
      context,
      'manager',
      'missing',
      missingManagers(registration, found.value, { watch, expected, words }),
    );
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return note(
      context,
      'manager',
      'unknown',
      `the ${words.managers} cannot be listed: ${error.message}`,
    );
  }
}

function missingManagers(
  id: RegistrationId,
  all: readonly Worker[],
  { watch, expected, words }: { watch: Watch; expected: number; words: RegistryTerms },
): string {
  if (all.length === 0)
    return `no ${words.manager} of ${words.registration} ${id} has ever contacted ${words.registry}`;
  if (all.some(({ systemId }) => systemId === '<legacy>'))
    return `${words.managers} of ${words.registration} ${id} send no system id. ${words.program} sends one from ${words.oldestProgram} on, the oldest supported version. Without it, all managers share one row, "<legacy>", and a new manager cannot be detected; upgrade ${words.program} in the image`;
  return `${watch.workers.length} of ${expected} ${words.managers} of ${words.registration} ${id} have contacted ${words.registry} since the last apply`;
}

/** Warns if a host's `ephemeral` setting differs from the stack's, which then renews no token. */
function warnOfStay({ settings }: StageContext, workers: readonly Worker[]): string {
  const wanted = settings.github?.ephemeral;
  const others = workers.filter((one) => one.ephemeral !== undefined && one.ephemeral !== wanted);
  if (wanted === undefined || others.length === 0) return '';
  const names = others.map(({ systemId }) => systemId).join(', ');
  return `; warning: ${names} ${others.length === 1 ? 'is' : 'are'} ${wanted ? 'not ' : ''}ephemeral, but github.ephemeral is ${wanted}`;
}

/**
 * Warns of an unsupported version, which may still accept jobs. An unknown version is not held
 * against the runner.
 */
function warnOfOld(workers: readonly Worker[], { program, oldestProgram }: RegistryTerms): string {
  if (oldestProgram === undefined) return '';
  const old = new Set(
    workers.map(({ version }) => version).filter((one) => isOlder(one, oldestProgram)),
  );
  if (old.size === 0) return '';
  return `; warning: ${program} ${[...old].join(', ')} is older than ${oldestProgram}, the oldest that is supported`;
}

function isOlder(version: string, oldest: string): boolean {
  const [major, minor] = numbersOf(version);
  const [leastMajor = 0, leastMinor = 0] = numbersOf(oldest);
  if (major === undefined || minor === undefined) return false;
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

function numbersOf(version: string): readonly number[] {
  return /^(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
}

/** Returns the managers that the last apply created, or whose host confirms its process. */
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
