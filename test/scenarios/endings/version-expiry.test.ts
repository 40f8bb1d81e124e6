import { expect, test } from '@jest/globals';
import { renderFindings } from '../../../src/cli/terminal/findings-view.ts';
import { renderReports } from '../../../src/cli/terminal/status-view.ts';
import { examine, reportOf } from '../../operator/doctor/examine.ts';
import { typing } from '../../support/typing.ts';
import { fleetWorld } from '../removal/removal-lines.ts';
import { openScene, pipeline } from '../scene.ts';

const day = 86_400_000;

/** Opens a fleet with pink active and a runner version that expires in `days` days. */
async function fleetThatEnds(days: number) {
  const world = fleetWorld();
  const scene = openScene(world);
  await pipeline(scene, '1-100');
  const { runnerVersion } = world.behaviour;
  world.behaviour.versionEnds = { [runnerVersion]: world.now + days * day };
  return { scene, version: runnerVersion };
}

const listWarnings = (log: readonly string[]) => log.filter((line) => /no jobs from/.test(line));

test('prepare warns of a version that expires within three weeks, and deploys', async () => {
  const { scene, version } = await fleetThatEnds(20);
  const prepared = await scene.type('prepare', { deploymentId: '1-200' });
  expect(listWarnings(prepared.log)[0]).toContain(
    `! GitHub gives actions-runner ${version} no jobs from`,
  );
  for (const stage of ['onboard', 'provision', 'finalize'] as const)
    await scene.type(stage, { deploymentId: '1-200' });
  expect(await scene.rest()).toEqual([]);
});

test('a candidate whose version expires within a week is not promoted', async () => {
  const { scene, version } = await fleetThatEnds(5);
  for (const stage of ['prepare', 'onboard'] as const)
    await scene.type(stage, { deploymentId: '1-200' });
  const ending = await scene.type('provision', { deploymentId: '1-200' });
  expect(ending).toMatchObject({ kind: 'error' });
  const why = ending.kind === 'error' ? ending.error.fields.why?.join(' ') : '';
  expect(why).toContain(`actions-runner ${version} no jobs from`);
  expect(why).toContain('build the candidate with a newer version');
});

test.each([
  [
    'in 20 days, with the date and a deployment as the fix',
    20,
    /no jobs from \d{4}-\d\d-\d\d on \(in 20d\)/,
  ],
  ['a day ago', -1, /no jobs since \d{4}-\d\d-\d\d/],
])('doctor reports a version with an expiry %s', async (_, days, seen) => {
  const { scene } = await fleetThatEnds(days);
  const examined = await examine(scene.world);
  expect(examined.findings).toMatchObject([
    { code: 'version_ends', commands: [{ command: 'deploy', runner: 'linux' }] },
  ]);
  expect(examined.findings[0]?.seen).toMatch(seen);
  expect(await renderFindings(examined, { logs: false, typed: typing('doctor') })).toMatch(seen);
});

test('doctor does not report a version that expires in more than 21 days', async () => {
  const { scene } = await fleetThatEnds(22);
  const { findings } = await examine(scene.world);
  expect(findings.map(({ code }) => code)).toEqual(['healthy']);
});

test('status shows the date beside the shard whose version expires, and beside no other', async () => {
  const { scene, version } = await fleetThatEnds(20);
  const shown = await renderReports([await reportOf(scene.world)]);
  const lines = shown.split('\n').filter((line) => line.startsWith('  VERSION'));
  expect(lines).toEqual([
    expect.stringMatching(
      /^ {2}VERSION of pink: GitHub gives actions-runner \S+ no jobs from \d{4}-\d\d-\d\d on \(in 20d\)/,
    ),
  ]);
  expect(lines[0]).toContain(version);
});

test('status reports an unknown date if GitHub does not respond', async () => {
  const { scene } = await fleetThatEnds(20);
  const report = await reportOf(scene.world, {
    intercept: ({ method }) =>
      method === 'readEnding' ? { kind: 'error_before', failure: 'unavailable' } : undefined,
  });
  expect(await renderReports([report])).toContain(
    '  The end of support for the versions of pink is not known: registry readEnding: injected: unavailable',
  );
});
