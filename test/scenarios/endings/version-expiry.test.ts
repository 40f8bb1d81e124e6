import { expect, test } from '@jest/globals';
import { renderFindings } from '../../../src/cli/terminal/findings-view.ts';
import { renderReports } from '../../../src/cli/terminal/status-view.ts';
import { examine, reportOf } from '../../operator/doctor/examine.ts';
import { typing } from '../../support/typing.ts';
import { fleetWorld } from '../removal/removal-lines.ts';
import { openScene, pipeline } from '../scene.ts';

const day = 86_400_000;

/** Pink serves, and its version ends after so many days. */
async function fleetThatEnds(days: number) {
  const world = fleetWorld();
  const scene = openScene(world);
  await pipeline(scene, '1-100');
  const { runnerVersion } = world.behaviour;
  world.behaviour.versionEnds = { [runnerVersion]: world.now + days * day };
  return { scene, version: runnerVersion };
}

const told = (log: readonly string[]) => log.filter((line) => /no job any more/.test(line));

test('prepare warns of a version that ends within three weeks, and deploys', async () => {
  const { scene, version } = await fleetThatEnds(20);
  const prepared = await scene.type('prepare', { deploymentId: '1-200' });
  expect(told(prepared.log)[0]).toContain(
    `! GitHub gives actions-runner ${version} no job any more from`,
  );
  for (const stage of ['onboard', 'provision', 'finalize'] as const)
    await scene.type(stage, { deploymentId: '1-200' });
  expect(await scene.rest()).toEqual([]);
});

test('a candidate whose version ends within a week is not promoted', async () => {
  const { scene, version } = await fleetThatEnds(5);
  for (const stage of ['prepare', 'onboard'] as const)
    await scene.type(stage, { deploymentId: '1-200' });
  const ending = await scene.type('provision', { deploymentId: '1-200' });
  expect(ending).toMatchObject({ kind: 'error' });
  const why = ending.kind === 'error' ? ending.error.fields.why?.join(' ') : '';
  expect(why).toContain(`actions-runner ${version} no job any more from`);
  expect(why).toContain('build the candidate with a newer version');
});

test.each([
  [
    'in 20 days: the day is named, and a deployment is the way',
    20,
    /no job any more from \d{4}-\d\d-\d\d on, in 20d/,
  ],
  ['a day ago', -1, /no job any more since \d{4}-\d\d-\d\d/],
])('doctor has a sign of a version that ends or has ended %s', async (_, days, seen) => {
  const { scene } = await fleetThatEnds(days);
  const examined = await examine(scene.world);
  expect(examined.findings).toMatchObject([
    { code: 'version_ends', commands: [{ command: 'deploy', runner: 'linux' }] },
  ]);
  expect(examined.findings[0]?.seen).toMatch(seen);
  expect(await renderFindings(examined, { logs: false, typed: typing('doctor') })).toMatch(seen);
});

test('doctor says nothing of a version that ends in more than 21 days', async () => {
  const { scene } = await fleetThatEnds(22);
  const { findings } = await examine(scene.world);
  expect(findings.map(({ code }) => code)).toEqual(['healthy']);
});

test('status shows the day beside the shard whose version ends, and beside no other', async () => {
  const { scene, version } = await fleetThatEnds(20);
  const shown = await renderReports([await reportOf(scene.world)]);
  const lines = shown.split('\n').filter((line) => line.startsWith('  VERSION'));
  expect(lines).toEqual([
    expect.stringMatching(
      /^ {2}VERSION of pink: GitHub gives actions-runner \S+ no job any more from \d{4}-\d\d-\d\d on, in 20d/,
    ),
  ]);
  expect(lines[0]).toContain(version);
});

test('status says that the day is not known where GitHub does not answer', async () => {
  const { scene } = await fleetThatEnds(20);
  const report = await reportOf(scene.world, {
    intercept: ({ method }) =>
      method === 'readEnding' ? { kind: 'error_before', failure: 'unavailable' } : undefined,
  });
  expect(await renderReports([report])).toContain(
    '  Until when the versions of pink are taken is not known: registry readEnding: injected: unavailable',
  );
});
