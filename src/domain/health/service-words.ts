import type { Service } from './service.ts';

/** Whether a shard serves, in a cell. The reason stands beside it. */
export const serviceWords: Readonly<Record<Service['kind'], string>> = {
  proven: 'yes',
  closed: 'no, closed',
  disproven: 'no',
  unknown: 'not proven',
};
