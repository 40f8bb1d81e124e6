import { describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { rested } from '../broken-stacks/state.ts';
import { addShard, linux, pink } from '../fakes/builders.ts';
import { contactGitLab, createHost } from '../fakes/hosts/hosts.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { hostsOf, parametersOf } from '../fakes/world/serving.ts';
import type { HostState, RegistrationState, World } from '../fakes/world/world.ts';
import { isCall, killAt, writes } from '../stages/reach.ts';
import { stackOf, type } from './doctor/examine.ts';
import { activation, addStranger, recorded } from './made-by-hand.ts';

/** Its manager is on a machine that has nothing to do with the stack. */
function contactFromElsewhere(world: World, registration: RegistrationState): void {
  const host = createHost(world, { runnerName: linux, shard: pink });
  Object.assign(host, {
    token: registration.token,
    process: 'running',
  } satisfies Partial<HostState>);
  contactGitLab(world, host);
  host.state = 'terminated';
  delete world.hosts[host.id];
  absorb(world);
}

describe('a runner of which nothing says that it is the shard’s', () => {
  const rows: readonly (readonly [string, (world: World) => RegistrationState, string])[] = [
    ['has never contacted GitLab', addStranger, 'it has no manager'],
    [
      'has a manager elsewhere, and nothing of the shard is built',
      (world) => {
        const registration = addStranger(world);
        contactFromElsewhere(world, registration);
        return registration;
      },
      'pink has no host',
    ],
    [
      'has a manager elsewhere, and the shard’s host another runner',
      (world) => {
        addShard(world, { shard: pink, tags: [] });
        const registration = addStranger(world);
        contactFromElsewhere(world, registration);
        return registration;
      },
      'none of its managers runs on i-0abc0000000000003 of pink',
    ],
    [
      'has a manager, and the shard’s host does not answer',
      (world) => {
        const { registration, hosts } = addShard(world, { shard: pink, tags: ['foo'], note: '' });
        registration.description = 'wrong-one';
        for (const host of hosts) host.agent = 'lost';
        absorb(world);
        return registration;
      },
      'i-0abc0000000000003 of pink does not answer',
    ],
  ];

  test.each(rows)('%s', async (_, build, detail) => {
    const world = await rested();
    const { id } = build(world);
    const before = structuredClone(world.registrations);
    const ending = await type(world, activation(id));
    expect(ending.kind === 'error' && ending.error.fields).toEqual({
      code: 'RegistrationOfAnotherShard',
      exitCode: 2,
      what: `Nothing says that runner ${id} is pink's, and pink cannot be activated with it; nothing was touched.`,
      why: [`Its description is "wrong-one", and ${detail}.`],
      now: expect.stringMatching(/^purple serves jobs/),
      fix: [
        'See which runner is whose: hosted-runner status --runner linux',
        "Give that runner alone its description in GitLab, pink-linux, if it is pink's, then: hosted-runner activate --runner linux --shard pink",
      ],
    });
    expect(world.registrations).toEqual(before);
    expect(world.violations).toEqual([]);
  });

  test('is refused where there is no record, too', async () => {
    const world = await rested((one) => {
      delete one.parameters[parametersOf(stackOf(one)).record];
    });
    const { id } = addStranger(world);
    expect(await type(world, activation(id))).toMatchObject({
      kind: 'error',
      error: { code: 'RegistrationOfAnotherShard' },
    });
  });
});

describe('a runner that a person has made, and that turns out sick', () => {
  const made = (description: string, paused: boolean) =>
    rested((one) => {
      one.behaviour.boots['pink-linux'] = ['fails_jobs'];
      const { registration } = addShard(one, { shard: pink, tags: ['by-hand', 'arm'], note: '' });
      Object.assign(registration, { description, paused, runUntagged: true });
    });
  const found = (world: World) =>
    Object.values(world.registrations).find(({ tags }) => tags.includes('by-hand'));

  test.each([
    ['my runner', false],
    ['my runner', true],
    ['pink-linux', false],
  ])('"%s", paused: %s, gets back what it had and is not removed', async (description, paused) => {
    const world = await made(description, paused);
    const before = structuredClone(found(world));
    const ending = await type(world, activation(before?.id ?? ''));
    expect(ending).toMatchObject({
      kind: 'error',
      error: { code: 'Retreated' },
      phase: 'prepared',
    });
    expect(found(world)).toMatchObject({
      tags: before?.tags,
      paused,
      runUntagged: true,
      description,
    });
    expect(hostsOf(world, stackOf(world), pink)).toEqual([]);
    expect(world.violations).toEqual([]);
  });

  const provision = 'hosted-runner provision --runner linux';
  const fixOf = (ending: Awaited<ReturnType<typeof type>>) =>
    ending.kind === 'error' ? ending.error.fields.fix : [];

  test('is in the way of another one where it has the description of the shard, and that is said', async () => {
    const world = await made('pink-linux', false);
    const its = found(world) as RegistrationState;
    const ending = await type(world, activation(its.id));
    expect(ending).toMatchObject({
      error: {
        code: 'Retreated',
        fields: {
          why: expect.arrayContaining([
            `Runner ${its.id}, which a person has made, was given back as it was.`,
          ]),
        },
      },
    });
    expect(fixOf(ending)).toEqual([
      `Give runner ${its.id} another description, or delete it, then build pink anew: ${provision}`,
    ]);
    its.description = 'my runner';
    delete world.behaviour.boots['pink-linux'];
    expect(await type(world, provision)).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(found(world)).toMatchObject({ id: its.id, tags: ['by-hand', 'arm'], paused: false });
  });

  test('is in nobody’s way by another description', async () => {
    const world = await made('my runner', false);
    const ending = await type(world, activation(found(world)?.id ?? ''));
    expect(fixOf(ending)).toEqual([`Build it anew: ${provision}`]);
    delete world.behaviour.boots['pink-linux'];
    expect(await type(world, provision)).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('is in the way of what comes after a retreat that a person finishes, too', async () => {
    const world = await made('pink-linux', false);
    const id = found(world)?.id ?? '';
    await type(world, activation(id), { intercept: killAt(writes('retreating')) });
    const ending = await type(world, 'hosted-runner recover --runner linux --method auto --yes');
    expect(ending).toMatchObject({ error: { code: 'ForeignRegistration' }, phase: 'prepared' });
    expect(fixOf(ending)?.[0]).toBe(
      `Give it another description, or delete it, then: ${provision}`,
    );
    delete world.registrations[id];
    delete world.behaviour.boots['pink-linux'];
    expect(await type(world, provision)).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('is not activated anew while it is taken back; what is printed ends that', async () => {
    const world = await made('my runner', false);
    const id = found(world)?.id ?? '';
    await type(world, activation(id), { intercept: killAt(writes('retreating')) });
    const refused = await type(world, activation(id));
    expect(refused).toMatchObject({
      phase: 'retreating',
      error: {
        fields: {
          code: 'CannotActivate',
          what: 'pink cannot be activated while it is taken back; nothing was touched.',
          why: ['Its activation is being taken back, and that is not finished.'],
          fix: expect.arrayContaining([
            'Mend it: hosted-runner recover --method auto --yes --runner linux',
          ]),
        },
      },
    });
    await type(world, 'hosted-runner recover --runner linux --method auto --yes');
    expect(recorded(world).deployment.phase).not.toBe('retreating');
    expect(found(world)).toMatchObject({ id, tags: ['by-hand', 'arm'], paused: false });
    expect(world.violations).toEqual([]);
  });

  test('stays paused where its own tags are longer than the record can keep', async () => {
    const world = await made('my runner', false);
    const its = found(world) as { id: string; tags: readonly string[] };
    its.tags = ['by-hand', 'x'.repeat(600)];
    const ending = await type(world, activation(its.id));
    expect(ending).toMatchObject({ kind: 'error', phase: 'prepared' });
    expect(ending.log.join('\n')).toContain(
      `Left runner ${its.id} paused: a person has made it, and its own tags are longer than the record could keep.`,
    );
    expect(world.registrations[its.id]).toMatchObject({ paused: true, runUntagged: false });
    expect(world.violations).toEqual([]);
  });

  test('is not removed by the activation of the other shard that turns it back', async () => {
    const world = await made('my runner', false);
    const id = found(world)?.id as RegistrationId;
    await type(world, activation(id), { intercept: killAt(isCall('registry', 'route')) });
    expect(recorded(world).deployment.phase).toBe('promoting');
    expect(await type(world, 'hosted-runner activate --runner linux --shard purple')).toMatchObject(
      {
        kind: 'done',
      },
    );
    expect(await type(world, 'hosted-runner finalize --runner linux')).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
    expect(found(world)).toMatchObject({ id, tags: ['by-hand', 'arm'], paused: false });
    expect(world.violations).toEqual([]);
  });
});

test('one that is promoted is the shard’s from then on', async () => {
  const world = await rested((one) => {
    const { registration } = addShard(one, { shard: pink, tags: ['by-hand'], note: '' });
    registration.description = 'my runner';
  });
  const [id = ''] = Object.entries(world.registrations).flatMap(([key, one]) =>
    one.description === 'my runner' ? [key] : [],
  );
  await type(world, activation(id));
  expect(recorded(world).shards['pink']).not.toHaveProperty('routing_before');
  expect(world.violations).toEqual([]);
});
