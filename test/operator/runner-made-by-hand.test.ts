import { describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { rested } from '../broken-stacks/state.ts';
import { addShard, linux, pink } from '../fakes/builders.ts';
import { contactGitLab, createHost } from '../fakes/hosts/hosts.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { hostsOf, parametersOf } from '../fakes/world/shards.ts';
import type { HostState, RegistrationState, World } from '../fakes/world/world.ts';
import { isCall, killAt, writes } from '../stages/reach.ts';
import { stackOf, type } from './doctor/examine.ts';
import { activation, addStranger, recorded } from './made-by-hand.ts';

/** Adds a contact from a machine outside the stack. */
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

describe('a runner without proof that it belongs to the shard', () => {
  const rows: readonly (readonly [string, (world: World) => RegistrationState, string])[] = [
    ['never contacted GitLab', addStranger, 'it has no manager'],
    [
      'has a manager elsewhere, and the shard has no host',
      (world) => {
        const registration = addStranger(world);
        contactFromElsewhere(world, registration);
        return registration;
      },
      'pink has no host',
    ],
    [
      'has a manager elsewhere, and the host of the shard has another runner',
      (world) => {
        addShard(world, { shard: pink, tags: [] });
        const registration = addStranger(world);
        contactFromElsewhere(world, registration);
        return registration;
      },
      'none of its managers runs on i-0abc0000000000003 of pink',
    ],
    [
      'has a manager, and the host of the shard does not respond',
      (world) => {
        const { registration, hosts } = addShard(world, { shard: pink, tags: ['foo'], note: '' });
        registration.description = 'wrong-one';
        for (const host of hosts) host.agent = 'lost';
        absorb(world);
        return registration;
      },
      'i-0abc0000000000003 of pink does not respond',
    ],
  ];

  test.each(rows)('gets refused if it %s', async (_, build, detail) => {
    const world = await rested();
    const { id } = build(world);
    const before = structuredClone(world.registrations);
    const ending = await type(world, activation(id));
    expect(ending.kind === 'error' && ending.error.fields).toEqual({
      code: 'RegistrationOfAnotherShard',
      exitCode: 2,
      what: `It is not confirmed that runner ${id} belongs to pink, so pink cannot be activated with it; nothing was touched.`,
      why: [`Its description is "wrong-one", and ${detail}.`],
      now: expect.stringMatching(/^purple accepts jobs/),
      fix: [
        'Show the runner of each shard: hosted-runner status --runner linux',
        'In GitLab, set the description of the runner to pink-linux (only if it belongs to pink), then: hosted-runner activate --runner linux --shard pink',
      ],
    });
    expect(world.registrations).toEqual(before);
    expect(world.violations).toEqual([]);
  });

  test('gets refused without a record as well', async () => {
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

describe('an unhealthy runner that an operator created', () => {
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
  ])(
    'keeps its earlier settings after the retreat and is not removed ("%s", paused: %s)',
    async (description, paused) => {
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
    },
  );

  const provision = 'hosted-runner provision --runner linux';
  const fixOf = (ending: Awaited<ReturnType<typeof type>>) =>
    ending.kind === 'error' ? ending.error.fields.fix : [];

  test('blocks the next candidate if it has the description of the shard, and the error reports it', async () => {
    const world = await made('pink-linux', false);
    const its = found(world) as RegistrationState;
    const ending = await type(world, activation(its.id));
    expect(ending).toMatchObject({
      error: {
        code: 'Retreated',
        fields: {
          why: expect.arrayContaining([
            `Runner ${its.id}, which an operator created, was restored to its earlier settings.`,
          ]),
        },
      },
    });
    expect(fixOf(ending)).toEqual([
      `Give runner ${its.id} another description, or delete it, then build pink again: ${provision}`,
    ]);
    its.description = 'my runner';
    delete world.behaviour.boots['pink-linux'];
    expect(await type(world, provision)).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(found(world)).toMatchObject({ id: its.id, tags: ['by-hand', 'arm'], paused: false });
  });

  test('blocks no candidate with another description', async () => {
    const world = await made('my runner', false);
    const ending = await type(world, activation(found(world)?.id ?? ''));
    expect(fixOf(ending)).toEqual([`Build pink again: ${provision}`]);
    delete world.behaviour.boots['pink-linux'];
    expect(await type(world, provision)).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('blocks the next candidate after a retreat that an operator finishes as well', async () => {
    const world = await made('pink-linux', false);
    const id = found(world)?.id ?? '';
    await type(world, activation(id), { intercept: killAt(writes('retreating')) });
    const ending = await type(world, 'hosted-runner recover --runner linux --method auto --yes');
    expect(ending).toMatchObject({ error: { code: 'ForeignRegistration' }, phase: 'prepared' });
    expect(fixOf(ending)?.[0]).toBe(
      `Give this runner another description, or delete it, then: ${provision}`,
    );
    delete world.registrations[id];
    delete world.behaviour.boots['pink-linux'];
    expect(await type(world, provision)).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('cannot be activated during its retreat, and the printed command ends the retreat', async () => {
    const world = await made('my runner', false);
    const id = found(world)?.id ?? '';
    await type(world, activation(id), { intercept: killAt(writes('retreating')) });
    const refused = await type(world, activation(id));
    expect(refused).toMatchObject({
      phase: 'retreating',
      error: {
        fields: {
          code: 'CannotActivate',
          what: 'pink cannot be activated while its last activation is being undone; nothing was touched.',
          why: ['The last activation of pink failed, and it is not completely undone.'],
          fix: expect.arrayContaining([
            'Recover pink: hosted-runner recover --method auto --yes --runner linux',
          ]),
        },
      },
    });
    await type(world, 'hosted-runner recover --runner linux --method auto --yes');
    expect(recorded(world).deployment.phase).not.toBe('retreating');
    expect(found(world)).toMatchObject({ id, tags: ['by-hand', 'arm'], paused: false });
    expect(world.violations).toEqual([]);
  });

  test('stays paused if its tags are too long for the record', async () => {
    const world = await made('my runner', false);
    const its = found(world) as { id: string; tags: readonly string[] };
    its.tags = ['by-hand', 'x'.repeat(600)];
    const ending = await type(world, activation(its.id));
    expect(ending).toMatchObject({ kind: 'error', phase: 'prepared' });
    expect(ending.log.join('\n')).toContain(
      `Left runner ${its.id} paused: it existed before the deployment, but its original tags cannot be restored (too long for the record).`,
    );
    expect(world.registrations[its.id]).toMatchObject({ paused: true, runUntagged: false });
    expect(world.violations).toEqual([]);
  });

  test('stays after the activation of the other shard that reverses its own', async () => {
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

test('belongs to the shard once it is promoted', async () => {
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
