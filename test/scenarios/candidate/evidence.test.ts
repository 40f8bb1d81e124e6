import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import type { HostState, World } from '../../fakes/world/world.ts';
import type { Ending } from '../../stages/drive.ts';
import { openScene, type Scene } from '../scene.ts';
import { candidateOf } from './causes.ts';

type Health = StackSettings['healthcheck'];

function worldWith(
  health: (base: Health) => Partial<Health>,
  change: Partial<StackSettings> = {},
): World {
  const base = stackSettings(change);
  const healthcheck = { ...base.healthcheck, ...health(base.healthcheck) };
  return worldWithActive(pink, { stacks: [{ ...base, healthcheck }] });
}

async function provision(scene: Scene): Promise<Ending> {
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  scene.story.length = 0;
  return scene.type('provision');
}

/** Changes the candidate's hosts some time after the start of provision. */
function later(scene: Scene, inMs: number, act: (hosts: readonly HostState[]) => void): void {
  scene.simulation.at(inMs, () => act(candidateOf(scene.world).hosts));
}

const callsOf = (scene: Scene, method: string) =>
  scene.simulation.trace.filter((call) => call.method === method).length;

describe('several managers', () => {
  test('all have to make contact: the canary proves one, and host evidence proves the others', async () => {
    const scene = openScene(worldWith(() => ({}), { managers: 3 }));
    expect(await provision(scene)).toMatchObject({ kind: 'done', phase: 'promoted' });
    for (const method of ['verifyToken', 'probeWorkload']) expect(callsOf(scene, method)).toBe(3);
  });

  test('appear in the error with their number if one makes no contact', async () => {
    const world = worldWith(() => ({}), { managers: 3 });
    world.behaviour.boots['purple-linux'] = ['ok', 'never_contacts', 'ok'];
    const ending = await provision(openScene(world));
    expect(ending.kind === 'error' && ending.error.fields.why?.slice(0, 3)).toEqual([
      '2 of 3 managers of runner 48214 have contacted GitLab since the last apply.',
      'Evidence: instance found; manager missing; host, workload, canary not checked.',
      'The host does not reach GitLab; a longer wait may help: the runner retries until the network returns. Observed: "WARNING: Checking for jobs... failed status=execute JSON request: execute reques…xecute POST against https://gitlab.example.com/api/v4/jobs/request: Post "https://gitlab.example.com/api/v4/jobs/request": dial tcp 203.0.113.7:443: i/o timeout".',
    ]);
  });

  test.each(['optional', 'off'] as const)(
    'need more than one canary if one process has stopped, with evidence.host %s',
    async (host) => {
      const world = worldWith(({ evidence }) => ({ evidence: { ...evidence, host } }), {
        managers: 2,
      });
      world.behaviour.boots['purple-linux'] = ['ok', 'never_takes_jobs'];
      const scene = openScene(world, () => {
        for (const one of candidateOf(world).hosts)
          if (one.boot === 'never_takes_jobs' && one.contactedAt !== undefined)
            one.process = 'stopped';
        return undefined;
      });
      expect(await provision(scene)).toMatchObject({ kind: 'error' });
      expect(callsOf(scene, 'start')).toBeGreaterThan(0);
    },
  );

  test('share the idle count of the autoscaler', async () => {
    const world = worldWith(
      ({ evidence }) => ({ idleWorkers: 5, evidence: { ...evidence, capacity: 'required' } }),
      { managers: 2 },
    );
    const scene = openScene(world);
    later(scene, 300_000, (hosts) => {
      for (const [index, host] of hosts.entries()) host.idleWorkers = index + 2;
    });
    const ending = await provision(scene);
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(ending.log.join('\n')).toContain('5 of 5 idle workers exist');
  });
});

describe('the workers of an autoscaler', () => {
  const open = () => {
    const world = worldWith(({ evidence }) => ({
      ...{ idleWorkers: 3, timeoutsMs: { capacity: 300_000 } },
      evidence: { ...evidence, capacity: 'required' },
    }));
    const scene = openScene(world);
    const [{ runnerName } = stackSettings()] = world.stacks;
    const add = (id: string, state: string, partOf: string) =>
      world.tagged.push({
        ...{ runnerName, shard: purple },
        resource: { kind: 'instance', id, name: 'purple-linux_worker', state, partOf },
      });
    return { scene, add };
  };
  const reasonOf = (ending: Ending) => ending.kind === 'error' && ending.error.fields.why?.[0];

  test('appear by group, with the state of their slots, if they are too few', async () => {
    const { scene, add } = open();
    later(scene, 60_000, ([host]) => {
      Object.assign(host ?? {}, { idleWorkers: 2, slots: { idle: 2, acquired: 2, unhealthy: 1 } });
      add('i-0aaa', 'running', 'purple-linux_workers-0');
      add('i-0bbb', 'running', 'purple-linux_workers-0');
      add('i-0ccc', 'pending', 'purple-linux_workers-1');
    });
    expect(reasonOf(await provision(scene))).toBe(
      '2 of 3 idle workers exist (2 acquired, 1 unhealthy); EC2 lists 3 workers (purple-linux_workers-0: 2 running; purple-linux_workers-1: 1 pending).',
    );
  });

  test('stay unknown if the runner does not report them, because workers in EC2 may not be idle', async () => {
    const { scene, add } = open();
    for (const id of ['i-0aaa', 'i-0bbb', 'i-0ccc']) add(id, 'running', 'purple-linux_workers-0');
    const ending = await provision(scene);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'HealthInconclusive' } });
    expect(reasonOf(ending)).toMatch(
      /^The metrics of i-\S+ do not report how many workers are idle; EC2 lists 3 workers \(purple-linux_workers-0: 3 running\)\.$/,
    );
  });

  test('appear with the message of the plugin if they cannot be created', async () => {
    const { scene } = open();
    const line =
      '{"err":"api error ValidationError: New SetDesiredCapacity value 1 is above max value 0","level":"error","msg":"increasing instances failure","subsystem":"taskscaler"}';
    later(scene, 60_000, ([host]) => {
      Object.assign(host ?? {}, { idleWorkers: 0 });
      host?.log.push(line);
    });
    const ending = await provision(scene);
    expect(ending.kind === 'error' && ending.error.fields.why?.join('\n')).toMatch(
      /No worker becomes ready for jobs; a longer wait may help: .*\. Observed: "/,
    );
  });
});

describe('each kind of evidence', () => {
  test('can have its own time limit, which the error names', async () => {
    const world = worldWith(() => ({ timeoutsMs: { manager: 120_000 } }));
    world.behaviour.boots['purple-linux'] = ['never_contacts'];
    const ending = await provision(openScene(world));
    expect(ending.kind === 'error' && ending.text).toMatch(
      /^purple did not become healthy within 2m \(healthcheck\.timeouts\.manager, \d+ checks\)\.$/,
    );
  });

  test('repeats at each of several consecutive checks', async () => {
    const once = openScene(worldWith(() => ({})));
    await provision(once);
    const thrice = openScene(worldWith(() => ({ successes: 3 })));
    expect(await provision(thrice)).toMatchObject({ kind: 'done', phase: 'promoted' });
    const more = (method: string) => callsOf(thrice, method) - callsOf(once, method);
    expect(more('probeWorkload')).toBe(2);
    expect(more('look')).toBeGreaterThanOrEqual(2);
  });

  test('starts the series again if it fails between two good checks', async () => {
    const world = worldWith(() => ({ successes: 3 }));
    const scene = openScene(world);
    let works = 0;
    let bad = 0;
    const disturbed = openScene(world, ({ method }) => {
      if (method === 'probeWorkload') works += 1;
      const isBad = works === 2 && method === 'look' && bad < 2;
      if (isBad) bad += 1;
      for (const host of candidateOf(world).hosts) host.health = isBad ? 'unhealthy' : 'healthy';
      return undefined;
    });
    for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
    const ending = await disturbed.type('provision');
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(ending.log.filter((line) => line.includes('in a row')).length).toBeGreaterThan(2);
  });

  test('repeats less often than every second if it is good while the canary waits', async () => {
    const world = worldWith(() => ({}));
    world.behaviour.boots['purple-linux'] = ['never_takes_jobs'];
    const scene = openScene(world);
    await provision(scene);
    expect(callsOf(scene, 'findNewest')).toBeGreaterThan(200);
    expect(callsOf(scene, 'look')).toBeLessThan(60);
    expect(callsOf(scene, 'probeWorkload')).toBe(1);
    expect(callsOf(scene, 'verifyToken')).toBe(1);
  });
});

describe('the report of a host', () => {
  test.each<[string, Partial<HostState>, string]>([
    ['a boot-verify that is pending', { ready: 'not_ready' }, 'is not ready'],
    ['a HEALTHCHECK that fails', { health: 'unhealthy' }, 'own health check reports unhealthy'],
    ['a wrapper whose runner has stopped', { wrapper: 'stopped' }, 'The wrapper reports'],
    ['a token that GitLab refuses', { tokenWord: 'refused' }, 'refuses the token'],
  ])('delays the verdict and then counts against the candidate: %s', async (_, change, words) => {
    const world = worldWith(() => ({}));
    const scene = openScene(world, () => {
      for (const host of candidateOf(world).hosts) Object.assign(host, change);
      return undefined;
    });
    const ending = await provision(scene);
    expect(ending).toMatchObject({ error: { code: 'HealthcheckTimedOut' } });
    expect(ending.kind === 'error' && ending.error.fields.why?.join('\n')).toContain(words);
  });

  test.each<[string, string, Partial<HostState>]>([
    ['15.11.0', 'no endpoint answers', { listens: false }],
    ['16.11.4', 'no endpoint answers', { listens: false }],
    ['17.11.1', 'lists jobs only', { ready: 'not_offered' }],
    ['18.11.0', 'lists jobs only', { ready: 'not_offered' }],
    ['19.1.0', 'tells its state', { ready: 'not_offered' }],
    ['19.2.0', 'tells that it is ready', {}],
    ['19.4.0', 'in a wrapper', { wrapper: 'running', health: 'healthy' }],
  ])(
    'does not count a missing feature against the runner version %s (%s)',
    async (version, _, change) => {
      const world = worldWith(() => ({}));
      world.behaviour.runnerVersion = version;
      const scene = openScene(world, () => {
        for (const host of candidateOf(world).hosts) Object.assign(host, change);
        return undefined;
      });
      expect(await provision(scene)).toMatchObject({ kind: 'done', phase: 'promoted' });
    },
  );
});
