import type { Service } from './service.ts';

/** Whether a shard serves, in a cell. The reason stands beside it. */
export const serviceWords: Readonly<Record<Service['kind'], string>> = {
  proven: 'yes',
  closed: 'no, closed',
  disproven: 'no',
  unknown: 'not proven',
};

/** Whatever is not known to be closed or ended may be given a customer's job. */
export function mayTakeJobs({ kind }: Service): boolean {
  return kind === 'proven' || kind === 'unknown';
}

/** Whatever anybody opens: it has ended, or there is no registration that could be opened. */
export function cannotServe(service: Service): boolean {
  return service.kind === 'disproven' || (service.kind === 'closed' && service.absent === true);
}
