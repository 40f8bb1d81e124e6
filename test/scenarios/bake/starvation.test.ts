import { describe, expect, test } from '@jest/globals';
import type { BakeSettings } from '../../../src/domain/settings.ts';
import { createBakeWatch } from '../../../src/stages/steps/bake/bake-watch.ts';
import { jobsAlone } from '../../fakes/bake-settings.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { activeShard, hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { drive } from '../../stages/drive.ts';
import { isOpen, minute } from '../service/promoted.ts';
import { openBaking, pink, purple, stackOf } from './baked.ts';

const starving = { signals: { ...jobsAlone, starvationMs: 5 * minute } };

const submit = (world: World, durationMs = 5000, tags: readonly string[] = ['linux']) =>
  submitJob(world, { name: 'build', tags, durationMs, project: 'acme/shop', visible: true });

/** Makes purple's processes run without job requests. */
function takeNoJobs(world: World): void {
  for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'never_takes_jobs';
}

/** Opens a drained stack after one customer job on purple. */
async function openAfterJob({
  bake = starving,
  intercept,
}: {
  bake?: Partial<BakeSettings>;
  intercept?: Intercept;
} = {}) {
  const opened = await openBaking({ bake, ...(intercept === undefined ? {} : { intercept }) });
  await opened.scene.type('shutdown');
  submit(opened.world);
  await opened.scene.simulation.advance(minute);
  return opened;
}

const logOf = ({ log }: { readonly log: readonly string[] }) => log.join('\n');

describe('customer jobs that wait while a promoted shard starts none', () => {
  test('cause a rollback', async () => {
    const { scene, world } = await openAfterJob();
    takeNoJobs(world);
    submit(world);
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(ending.kind === 'error' && ending.error.fields.why?.join(' ')).toMatch(
      /Starvation: bad in \d consecutive checks, .*: 1 job waits, job \d+ "build" of acme\/shop for \d+m(?: \d+s)? while none started on the new shard/,
    );
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });

  test('leave the signal good on a shard that takes them', async () => {
    const { scene, world } = await openAfterJob();
    for (const after of [5, 10, 15, 20])
      scene.simulation.at(after * minute, () => {
        submit(world);
      });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(logOf(ending)).toContain('good: starvation');
  });

  test('count for nothing if they need another tag', async () => {
    const { scene, world } = await openAfterJob();
    submit(world, 5000, ['linux', 'gpu']);
    const ending = await scene.type('bake');
    expect(logOf(ending)).toContain('Baked purple: healthy');
  });
});

/** Reads the signals once a minute on a stack whose jobs all wait from the start. */
async function pollSignals(
  about: (world: World) => void,
  { polls = 8, intercept }: { polls?: number; intercept?: Intercept } = {},
) {
  const { scene, world } = await openAfterJob(intercept === undefined ? {} : { intercept });
  about(world);
  absorb(world);
  const readings: string[] = [];
  const ending = await drive(scene.simulation, 'bake', {
    deploymentId: '1-200',
    jobId: '7777',
    act: async (context) => {
      await context.journal.read();
      const watch = createBakeWatch(context);
      for (let poll = 0; poll < polls; poll += 1) {
        const { signals } = await watch.check(context);
        readings.push(...signals.map(({ value, detail }) => `${value}: ${detail}`));
        await context.ports.clock.sleep(minute);
      }
      return { kind: 'done', summary: [] };
    },
  });
  if (ending.kind === 'error') throw ending.error;
  return readings;
}

const starve = (world: World) => {
  takeNoJobs(world);
  submit(world);
};

describe('checks for waiting jobs', () => {
  // Each check queries ten projects, including acme/shop.
  test.each([
    [9, 'good: no job with its tags waits'],
    [10, 'good: no job with its tags waits; only 10 of its 11 projects were queried'],
  ])('report the projects that they omit, beside %d others', async (others, expected) => {
    const readings = await pollSignals((world) => {
      for (let index = 0; index < others; index += 1)
        submitJob(world, {
          ...{ name: 'build', tags: ['linux'], durationMs: 5000, visible: true },
          project: `acme/other-${index}`,
        });
    });
    expect(readings.at(-1)).toBe(expected);
  });

  test('stay unknown until the limit passes under observation, then turn bad', async () => {
    const readings = await pollSignals(starve);
    expect(readings.map((one) => one.split(':')[0])).toEqual([
      ...Array.from({ length: 5 }, () => 'unknown'),
      ...Array.from({ length: 3 }, () => 'bad'),
    ]);
  });

  test.each<[string, (world: World) => void, string]>([
    [
      'if the shard is full',
      (world) => {
        world.behaviour.concurrent = 0;
        submit(world);
        const running = submit(world, 50 * minute);
        world.queue = world.queue.filter((id) => id !== running.id);
        const [registration] = registrationsOf(world, stackOf(world), purple);
        Object.assign(running, { status: 'running', registrationId: registration?.id });
        world.alive.push(running.id);
      },
      '1 job runs on the new shard and may use its full capacity',
    ],
    [
      'if an operator has changed its tags',
      (world) => {
        starve(world);
        for (const one of registrationsOf(world, stackOf(world), purple)) one.tags = ['other'];
      },
      'its runner lacks linux',
    ],
    [
      'if an operator has paused it',
      (world) => {
        starve(world);
        for (const one of registrationsOf(world, stackOf(world), purple)) one.paused = true;
      },
      'its runner is paused',
    ],
    [
      'if GitLab accepts no writes',
      (world) => {
        starve(world);
        world.behaviour.readOnly = 'GitLab is in maintenance';
      },
      'GitLab accepts no writes: GitLab is in maintenance',
    ],
    [
      'if jobs may run that the token cannot list',
      (world) => {
        starve(world);
        world.behaviour.jobsVisible = false;
        world.behaviour.graphQl = 'refused';
        world.behaviour.gitlab = '18.7';
        for (const job of Object.values(world.jobs)) job.visible = true;
      },
      'the token may be unable to see the jobs of every project',
    ],
  ])('stay unknown %s', async (_, about, reason) => {
    const readings = await pollSignals(about);
    expect(readings.at(-1)).toMatch(/^unknown: 1 job waits, /);
    expect(readings.at(-1)).toContain(reason);
    expect(readings.filter((one) => one.startsWith('bad'))).toEqual([]);
  });

  test('stay unknown if no project is known', async () => {
    const readings = await pollSignals((world) => {
      starve(world);
      for (const job of Object.values(world.jobs))
        if (job.status === 'success') job.visible = false;
    });
    expect(new Set(readings)).toEqual(new Set(['unknown: no project of its jobs is known']));
  });

  test.each(['listWaitingJobs', 'listJobs', 'find'])(
    'stay unknown if %s is refused',
    async (method) => {
      let isOn = false;
      const intercept: Intercept = (call) =>
        isOn && call.port === 'registry' && call.method === method
          ? { kind: 'error_before', failure: 'denied', status: 403 }
          : undefined;
      const about = (world: World) => {
        starve(world);
        isOn = true;
      };
      const readings = await pollSignals(about, { intercept });
      expect(readings).toHaveLength(8);
      expect(readings.filter((one) => !one.startsWith('unknown: '))).toEqual([]);
    },
  );
});
