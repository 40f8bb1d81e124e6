import { expect, test } from '@jest/globals';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

test('a run that may not read the runners of the remaining shard reports it and prints no recovery command', async () => {
  const world = await reach('promoted');
  const refuse = ({ port, method }: Call): Fault | undefined =>
    port === 'registry' && (method === 'findByShard' || method === 'find')
      ? { kind: 'error_before', failure: 'denied', status: 403 }
      : undefined;
  const ending = await openScene(world, refuse).type('shutdown');
  expect(ending.kind === 'error' && ending.error.code).toBe('PermissionMissing');
  expect(ending.kind === 'error' && JSON.stringify(ending.error.fields)).not.toContain('although');
});

test('a run whose credentials expire at a host names the active shard from other sources', async () => {
  const world = await reach('promoted');
  const expire = ({ port, method }: Call): Fault | undefined =>
    port === 'host' && method === 'look'
      ? { kind: 'error_before', failure: 'unauthenticated' }
      : undefined;
  const ending = await openScene(world, expire).type('shutdown');
  expect(ending.kind === 'error' && ending.error.code).toBe('CredentialsRefused');
  expect(ending.kind === 'error' && ending.error.fields.now).toMatch(
    /^purple is active; it is unknown whether it accepts jobs/,
  );
});
