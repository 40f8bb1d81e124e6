import { describe, expect, test } from '@jest/globals';
import { recover } from '../../../src/operator/recover/recover.ts';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { countJobs } from '../../fakes/world/job-counts.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene } from '../scene.ts';
import { type Line, lines, pinkHosts } from './drain-lines.ts';

const minute = 60_000;

/** Opens a promoted stack in which pink runs a job and its drain is next. */
async function open(line: Line) {
  const settings = stackSettings(line.stack);
  const world = worldWithActive(pink, { stacks: [settings], behaviour: line.behaviour ?? {} });
  const scene = openScene(world);
  await scene.type('prepare');
  await scene.type('onboard');
  const base = { name: 'long build', tags: ['linux'], durationMs: 13 * minute };
  const job = submitJob(world, { ...base, ...line.job });
  await scene.simulation.advance(10_000);
  const provisioned = await scene.type('provision');
  expect(provisioned).toMatchObject({ kind: 'done' });
  line.before?.(world, job);
  line.during?.(scene, job);
  scene.story.length = 0;
  return { scene, world, job };
}

/** Runs `finalize` like a schedule until it is done. */
async function finishIt(scene: Awaited<ReturnType<typeof open>>['scene']): Promise<string[]> {
  const endings: string[] = [];
  for (let run = 0; run < 12; run += 1) {
    const ending = await scene.type('finalize');
    if (ending.kind !== 'error') return [...endings, `${ending.kind}, ${ending.phase}`];
    endings.push(ending.error.code);
    await scene.simulation.advance(minute);
  }
  throw new Error(`never done: ${endings.join(', ')}`);
}

function expectNothingBroken(world: World, { lost = 0 }: Line): void {
  expect(world.violations).toEqual([]);
  const account = countJobs(world);
  expect({ interrupted: account.interrupted, lost: account.lost }).toEqual({
    interrupted: 0,
    lost,
  });
}

describe('the log lines of a drain', () => {
  test.each(lines)('name the wait and the proof for $name', async (line) => {
    const { scene, world } = await open(line);
    const { waits = 'Job 9000002 "long build" is running.', warning } = line;
    const { proof = 'GitLab and every host report no job (for 10s)' } = line;
    const first = await scene.type('shutdown', { deadline: world.now + 3 * minute });
    if (waits === null) expect(first).toMatchObject({ kind: 'done', phase: 'drained' });
    else expect(first).toMatchObject({ error: { code: 'StillDraining', exitCode: 75 } });
    expect(first.kind === 'error' ? first.error.fields.why?.[0] : null).toBe(waits);
    expect(await finishIt(scene)).toEqual(['done, done']);
    const printed = scene.story.filter((text) => /^ {2}(?:! |Drained pink)/.test(text));
    expect(printed).toEqual([
      ...(warning === undefined ? [] : [`  ! ${warning}`]),
      `  Drained pink: ${proof}.`,
    ]);
    await scene.rest();
    expectNothingBroken(world, line);
  });
});

describe('a shard whose jobs no source reports', () => {
  const noOne: Line = {
    name: 'nobody',
    during: (scene) =>
      scene.simulation.at(2 * minute, (world) => {
        for (const host of pinkHosts(world)) host.unregistered = true;
        const [one] = Object.values(world.registrations).filter(({ description }) =>
          description.startsWith('pink-'),
        );
        if (one !== undefined) delete world.registrations[one.id];
      }),
  };

  test('ends in an error with the next command, and in a cleanup once its instance has ended', async () => {
    const { scene, world } = await open(noOne);
    expect(await scene.type('shutdown')).toMatchObject({
      phase: 'draining',
      error: {
        code: 'DrainBlind',
        exitCode: 3,
        fields: {
          why: [
            'The runner no longer exists; Systems Manager lists no responding host, the infrastructure still exists, and EC2 reports: i-0abc0000000000001 is running.',
          ],
          fix: [
            'Check the machines of pink: hosted-runner doctor --runner linux',
            'Once no job runs on i-0abc0000000000001, terminate it: hosted-runner recover --runner linux --method terminate --instance i-0abc0000000000001 --yes',
            'Then resume: hosted-runner shutdown --runner linux',
          ],
        },
      },
    });
    expect(world.violations).toEqual([]);
    // The job has ended meanwhile, and no source reports it.
    await scene.simulation.advance(30 * minute);
    expect(await scene.type('recover terminate')).toMatchObject({ error: { code: 'DrainBlind' } });
    const instance = pinkHosts(world)[0]?.id ?? '';
    const named = { method: 'terminate', instance, consent: { kind: 'given' } } as const;
    await scene.type('recover terminate', { act: (context) => recover(context, named) });
    expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
    expect(world.violations).toEqual([]);
  });

  test('finishes by itself once EC2 reports its instances as terminated', async () => {
    const { scene, world } = await open(noOne);
    scene.simulation.at(20 * minute, () => undefined);
    scene.simulation.at(14 * minute, (then) => {
      for (const host of pinkHosts(then)) terminateHost(then, host, 'world');
    });
    await scene.simulation.advance(15 * minute);
    expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
    expect(world.violations).toEqual([]);
  });
});
