import type { ErrorCode } from '../../../src/domain/error-codes.ts';
import type { FailureKind } from '../../../src/ports/failure.ts';
import { at } from '../../broken-stacks/state.ts';
import { on, type PrintingStack } from './printing.ts';

const kinds: readonly (readonly [ErrorCode, FailureKind])[] = [
  ['Unreachable', 'unreachable'],
  ['Unavailable', 'unavailable'],
  ['ReadOnly', 'read_only'],
  ['Throttled', 'throttled'],
  ['CredentialsRefused', 'unauthenticated'],
  ['PermissionMissing', 'denied'],
  ['Refused', 'refused'],
  ['UnexpectedAnswer', 'unexpected'],
];

/** Stacks whose GitLab refuses or does not respond during a stage, and a cancelled job. */
export const outsideStacks: readonly PrintingStack[] = [
  ...kinds.map(
    ([code, failure]): PrintingStack => ({
      code,
      build: () => at('prepared', () => {}),
      typed: on('onboard'),
      surroundings: () => ({
        intercept: ({ port, method }) =>
          port === 'registry' && method === 'create'
            ? { kind: 'error_before', failure }
            : undefined,
      }),
      leads: { [on('onboard')]: 'done, onboarded' },
    }),
  ),
  {
    code: 'CredentialsEnded',
    build: () =>
      at('onboarded', (world) => {
        world.behaviour.credentialsEndAt = world.now + 5 * 60_000;
      }),
    typed: on('provision'),
    before: (world) => {
      delete world.behaviour.credentialsEndAt;
    },
    leads: { [on('provision')]: 'done, promoted' },
  },
  {
    code: 'Cancelled',
    build: () => at('onboarded', () => {}),
    typed: on('provision'),
    surroundings: () => {
      const controller = new AbortController();
      return {
        drive: { signal: controller.signal },
        intercept: ({ port, method }) => {
          if (port === 'infrastructure' && method === 'apply') controller.abort();
          return undefined;
        },
      };
    },
    leads: { [on('provision')]: 'done, promoted' },
  },
];
