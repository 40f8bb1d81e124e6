import type { Surroundings } from '../operator/doctor/examine.ts';
import type { ExaminedStack } from './broken-stack.ts';
import { at } from './state.ts';

/** Makes calls of these ports fail, or only of one method. */
export function fail(
  failure: 'unavailable' | 'denied' | 'unauthenticated',
  ports: readonly string[],
  method?: string,
) {
  return (): Surroundings => ({
    intercept: (call) =>
      ports.includes(call.port) && (method === undefined || call.method === method)
        ? { kind: 'error_before', failure }
        : undefined,
  });
}

/** Stacks with a source that does not respond or refuses queries. */
export const sourceStacks: readonly ExaminedStack[] = [
  {
    name: 'GitLab is down',
    build: () => at('applied', () => {}),
    diagnosis: 'source_silent',
    ends: 'healthy',
    byHand: () => {},
    surroundings: fail('unavailable', ['registry', 'pipelines']),
  },
  {
    name: 'AWS is down',
    build: () => at('applied', () => {}),
    diagnosis: 'source_silent',
    ends: 'healthy',
    byHand: () => {},
    surroundings: fail('unavailable', ['host', 'instances']),
  },
  {
    name: "GitLab's token is revoked",
    build: () => at('applied', () => {}),
    diagnosis: 'credentials_refused',
    ends: 'healthy',
    byHand: () => {},
    surroundings: fail('unauthenticated', ['registry', 'pipelines']),
  },
  {
    name: 'a permission is missing for one call',
    build: () => at('applied', () => {}),
    diagnosis: 'permission_missing',
    ends: 'healthy',
    byHand: () => {},
    surroundings: fail('denied', ['instances'], 'list'),
  },
];
