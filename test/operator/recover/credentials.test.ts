import { expect, test } from '@jest/globals';
import { at } from '../../broken-stacks/state.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { examine, type } from '../doctor/examine.ts';
import { failed } from './failed-candidate.ts';

const kinds = ['ended', 'unauthenticated', 'denied'] as const;

const isOut =
  (failure: (typeof kinds)[number], call: string): Intercept =>
  ({ port, method }) =>
    `${port}.${method}` === call ? { kind: 'error_before', failure } : undefined;

test.each([
  ['ended', 'registry.findByShard', 'CredentialsEnded', 75],
  ['ended', 'registry.listJobs', 'CredentialsEnded', 75],
  ['unauthenticated', 'registry.findByShard', 'CredentialsRefused', 1],
  ['unauthenticated', 'registry.listJobs', 'CredentialsRefused', 1],
  ['denied', 'registry.findByShard', 'PermissionMissing', 1],
] as const)(
  'recover with credentials that are %s at %s ends with %s',
  async (failure, call, code, exitCode) => {
    const world = await failed(1, 'fails_jobs', 'command');
    const before = structuredClone(world.registrations);
    const ending = await type(world, 'hosted-runner recover --method auto --runner linux', {
      intercept: isOut(failure, call),
    });
    expect(ending).toMatchObject({ error: { code, exitCode } });
    expect(world.registrations).toEqual(before);
  },
);

test.each(['ended', 'unauthenticated'] as const)(
  'doctor reports lost credentials (%s) as refused',
  async (failure) => {
    const world = await at('healthy', () => {});
    const { findings } = await examine(world, {
      intercept: isOut(failure, 'registry.findByShard'),
    });
    expect(findings[0]).toMatchObject({
      code: 'credentials_refused',
      seen: `registry findByShard: injected: ${failure}`,
    });
  },
);
