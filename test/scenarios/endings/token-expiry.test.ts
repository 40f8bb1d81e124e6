import { expect, test } from '@jest/globals';
import { renderReports } from '../../../src/cli/terminal/status-view.ts';
import { stackSettings } from '../../fakes/builders.ts';
import { registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { examine, reportOf } from '../../operator/doctor/examine.ts';
import { reach } from '../../stages/reach.ts';
import { openScene, pipeline, type Scene } from '../scene.ts';

const day = 86_400_000;

/** Opens a stack with purple active and a token that expires in `days` days. */
async function stackWhoseTokenEnds(days: number): Promise<Scene> {
  const world = await reach('none');
  world.behaviour.tokenLifeMs = days * day;
  const scene = openScene(world);
  await pipeline(scene, '1-100');
  delete world.behaviour.tokenLifeMs;
  return scene;
}

const activeOf = (world: World) => {
  const { shards } = stackSettings();
  return shards.flatMap((shard) => registrationsOf(world, stackSettings(), shard))[0]?.id;
};

test('prepare warns of a token that expires within two weeks, and the deployment creates a new one', async () => {
  const scene = await stackWhoseTokenEnds(6);
  const old = activeOf(scene.world);
  const prepared = await scene.type('prepare', { deploymentId: '1-200' });
  const warnings = prepared.log.filter((line) => line.includes('refuses the token of'));
  expect(warnings[0]).toMatch(
    /^! GitLab refuses the token of runner \d+ from \d{4}-\d\d-\d\d \d\d:\d\d UTC on \(in 5d.*\): its managers then get no job. A deployment gives the stack a new token.$/,
  );
  for (const stage of ['onboard', 'provision', 'finalize'] as const)
    await scene.type(stage, { deploymentId: '1-200' });
  expect(activeOf(scene.world)).not.toBe(old);
  expect((await examine(scene.world)).findings.map(({ code }) => code)).toEqual(['healthy']);
});

test.each([
  ['GitLab', undefined],
  ['the record, because GraphQL is refused', 'refused' as const],
])('status and doctor show an expiring token from %s', async (_name, graphQl) => {
  const scene = await stackWhoseTokenEnds(6);
  if (graphQl !== undefined) scene.world.behaviour.graphQl = graphQl;
  expect(await renderReports([await reportOf(scene.world)])).toMatch(
    /^ {2}TOKEN of \w+: GitLab refuses the token of runner \d+ from \S+ \S+ UTC on \(in /m,
  );
  expect((await examine(scene.world)).findings).toMatchObject([
    { code: 'runner_token_ends', commands: [{ command: 'deploy', runner: 'linux' }] },
  ]);
});

test('a token that expires in more than two weeks is not reported', async () => {
  const scene = await stackWhoseTokenEnds(15);
  expect((await examine(scene.world)).findings.map(({ code }) => code)).toEqual(['healthy']);
  expect(await renderReports([await reportOf(scene.world)])).not.toContain('TOKEN of');
});

test('a candidate whose token expired before its first use gets another one', async () => {
  const world = await reach('none');
  world.behaviour.tokenLifeMs = day / 12;
  const scene = openScene(world);
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  await scene.simulation.advance(day / 8);
  const again = await scene.type('onboard', { jobId: 'onboard 2' });
  expect(again.log).toContainEqual(
    expect.stringMatching(
      /Replaced the token of runner \d+: the token of runner \d+ has expired before/,
    ),
  );
  await scene.type('provision');
  await scene.type('finalize');
  expect(await scene.rest()).toEqual([]);
});
