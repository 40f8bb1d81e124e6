import type { Service } from './service-verdict.ts';

const words: Readonly<Record<Service['kind'], string>> = {
  proven: 'yes',
  closed: 'no, paused',
  disproven: 'no',
  unknown: 'not verified',
};

/**
 * Formats a table cell: whether a shard accepts jobs. The reason has its own column.
 * @param registrations runners of the shard; a text if they could not be read
 */
export function formatService(
  verdict: Service['kind'],
  registrations: readonly { readonly paused: boolean }[] | string,
): string {
  // A closed shard may also lack runners or production tags.
  const isPaused = typeof registrations === 'string' || registrations.some(({ paused }) => paused);
  return verdict === 'closed' && !isPaused ? words.disproven : words[verdict];
}

/** Returns whether the shard may receive a customer job: it is not known to be paused or ended. */
export function mayTakeJobs({ kind }: Service): boolean {
  return kind === 'proven' || kind === 'unknown';
}

/** Returns whether an unpause cannot help: the processes have ended, or no runner exists. */
export function cannotAcceptJobs(service: Service): boolean {
  return service.kind === 'disproven' || (service.kind === 'closed' && service.absent === true);
}
