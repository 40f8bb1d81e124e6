import { expect, test } from '@jest/globals';
import { at, endPipelines } from '../broken-stacks/state.ts';
import { purple, stackSettings } from '../fakes/builders.ts';
import { terminateHost } from '../fakes/hosts/hosts.ts';
import { removeParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { hostsOf, parametersOf, registrationsOf } from '../fakes/world/shards.ts';
import { removeHostAccess } from '../scenarios/service/promoted.ts';
import { reach } from '../stages/reach.ts';
import { stackOf, type } from './doctor/examine.ts';

const line = 'hosted-runner healthcheck --runner linux';

test('a shard whose only machine is terminated is not healthy because of an old contact', async () => {
  const world = await reach('draining', { stack: removeHostAccess(stackSettings()) });
  endPipelines(world);
  expect(await type(world, line)).toMatchObject({ kind: 'done' });
  for (const host of hostsOf(world, stackOf(world), purple)) terminateHost(world, host, 'world');
  await createSimulation({ world }).advance(60_000);
  const ending = await type(world, line);
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'HealthcheckTimedOut' } });
  // The check found the end at once, so the error names no limit.
  expect(ending.kind === 'error' && ending.error.fields.what).toMatch(
    /^purple is unhealthy, and waiting longer cannot change that \(\d+ checks?\)\.$/,
  );
  expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
    expect.stringContaining('i-0abc0000000000002 is terminated'),
  ]);
});

test('a candidate with a lost token gets no offer of a machine that could not start with it', async () => {
  const world = await at('healthy', (one) => {
    removeParameter(one, parametersOf(stackOf(one)).token(purple));
    for (const registration of registrationsOf(one, stackOf(one), purple))
      registration.tags = ['other'];
  });
  const ending = await type(world, line);
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'HealthcheckTimedOut' } });
  const fixes = ending.kind === 'error' ? JSON.stringify(ending.error.fields.fix) : '';
  expect(fixes).not.toMatch(/terminate|replace/);
});

test('an active shard with an inconclusive check is checked again by healthcheck, not by provision', async () => {
  const world = await at('done', () => {});
  const ending = await type(world, line, {
    intercept: ({ port }) =>
      ['registry', 'host', 'instances'].includes(port)
        ? { kind: 'error_before', failure: 'unreachable' }
        : undefined,
  });
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'HealthInconclusive' } });
  expect(ending.kind === 'error' && ending.error.fields.fix?.at(-1)).toBe(
    `When the cause is fixed: ${line}`,
  );
});
