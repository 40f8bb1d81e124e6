import type { Service } from './service-verdict.ts';

const words: Readonly<Record<Service['kind'], string>> = {
  proven: 'yes',
  closed: 'no, closed',
  disproven: 'no',
  unknown: 'not proven',
};

/**
 * Whether a shard serves, in a cell. The reason stands beside it.
 * @param registrations what was found of it; a text where that could not be read
 */
export function formatService(
  verdict: Service['kind'],
  registrations: readonly unknown[] | string,
): string {
  // There is nothing that could be opened: one that is removed is judged by its machines, too.
  const isAbsent = typeof registrations !== 'string' && registrations.length === 0;
  return verdict === 'closed' && isAbsent ? words.disproven : words[verdict];
}

/** Whatever is not known to be closed or ended may be given a customer's job. */
export function mayTakeJobs({ kind }: Service): boolean {
  return kind === 'proven' || kind === 'unknown';
}

/** Whatever anybody opens: it has ended, or there is no registration that could be opened. */
export function cannotServe(service: Service): boolean {
  return service.kind === 'disproven' || (service.kind === 'closed' && service.absent === true);
}
