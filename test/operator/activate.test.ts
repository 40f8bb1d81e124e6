import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../src/domain/deployment/deployment-status.ts';
import { registrationMark } from '../../src/domain/deployment/onboarding.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { activate, judgeActivation } from '../../src/operator/takeover/activate.ts';
import { at, rested } from '../broken-stacks/state.ts';
import { addShard, pink, purple } from '../fakes/builders.ts';
import type { Intercept } from '../fakes/faults/fault-wrapper.ts';
import { terminateHost } from '../fakes/hosts/hosts.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { buildInfrastructure } from '../fakes/ports/infrastructure-fake.ts';
import { putParameter } from '../fakes/ports/parameters-fake.ts';
import { addRegistration } from '../fakes/ports/registry/registration-writes.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { hostsOf, parametersOf, registrationsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, drive } from '../stages/drive.ts';
import { stackOf, type } from './doctor/examine.ts';

test('activate accepts a runner that was registered by hand under another name', async () => {
  const world = await rested((one) => {
    const { registration } = addShard(one, { shard: pink, tags: ['by-hand'], note: 'by hand' });
    registration.description = 'my runner';
  });
  const registration = Object.values(world.registrations).find(
    ({ description }) => description === 'my runner',
  )?.id as RegistrationId;
  const ending = await drive(createSimulation({ world }), 'activate pink', {
    deploymentId: 'terminal-4',
    ci: 'terminal',
    act: (context) => activate(context, { shard: pink, registration }),
  });
  expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
  expect(await type(world, 'hosted-runner finalize --runner linux')).toMatchObject({
    kind: 'done',
    phase: 'done',
  });
  expect(world.registrations[registration]).toMatchObject({ tags: ['linux'], paused: false });
  expect(world.violations).toEqual([]);
});

describe('the sources of an activation', () => {
  const refused: Intercept = ({ port }) =>
    port === 'infrastructure' ? { kind: 'error_before', failure: 'unavailable' } : undefined;

  test('exclude the infrastructure if the other shard has its runner', async () => {
    const world = await at('promoted', () => {});
    editStatus(world, formatStatus([pink, purple], pink));
    const simulation = createSimulation({ world, intercept: refused });
    const ending = await drive(simulation, 'activate pink', {
      deploymentId: 'terminal-4',
      ci: 'terminal',
      act: (context) => activate(context, { shard: pink }),
      refuse: (context) => judgeActivation(context, { shard: pink }),
    });
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(simulation.trace.filter(({ port }) => port === 'infrastructure')).toEqual([]);
  });

  test('exclude the token if the other shard is built', async () => {
    const world = await rested((one) => {
      buildInfrastructure(one, { runnerName: stackOf(one).runnerName, shard: pink });
    });
    const token = parametersOf(stackOf(world)).token(pink);
    const simulation = createSimulation({ world });
    const ending = await drive(simulation, 'activate purple', {
      deploymentId: 'terminal-4',
      ci: 'terminal',
      act: async (context) => {
        await judgeActivation(context, { shard: purple });
        return { kind: 'nothing', reason: 'it was looked at' };
      },
    });
    expect(ending).toMatchObject({ kind: 'nothing', text: 'it was looked at' });
    const calls = simulation.trace.filter(
      ({ port, args }) => port === 'infrastructure' || args[0] === token,
    );
    expect(calls.map(({ method }) => method)).toEqual(['exists']);
  });
});

describe('an activation that would change nothing or cannot succeed', () => {
  const activating = (world: World, shard: typeof pink) =>
    drive(createSimulation({ world }), `activate ${shard}` as Command, {
      deploymentId: 'terminal-4',
      ci: 'terminal',
      act: (context) => activate(context, { shard }),
    });

  test('leaves an active shard that accepts jobs unchanged', async () => {
    const world = await rested();
    const before = structuredClone(touchable(world));
    expect(await activating(world, purple)).toMatchObject({
      kind: 'nothing',
      phase: 'done',
      text: expect.stringMatching(/^purple is already active and verified: runner \d+ of /),
    });
    expect(touchable(world)).toEqual(before);
  });

  test('reopens and verifies an active shard that another actor has paused', async () => {
    const world = await rested();
    for (const one of registrationsOf(world, stackOf(world), purple)) one.paused = true;
    absorb(world);
    expect(await activating(world, purple)).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(await type(world, 'hosted-runner finalize --runner linux')).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
    expect(registrationsOf(world, stackOf(world), purple).map(({ paused }) => paused)).toEqual([
      false,
    ]);
  });

  test.each([
    ['has ended and can be restarted', 'drained', undefined, 'rollback'],
    ['has no machine while the other shard replaces it', 'promoted', 'dies', 'finalize'],
  ] as const)('refuses a shard whose process %s', async (_, place, event, next) => {
    const world = await at(place, (one) => {
      if (event === 'dies')
        for (const host of hostsOf(one, stackOf(one), pink)) terminateHost(one, host, 'world');
    });
    const before = structuredClone(touchable(world));
    const ending = await activating(world, pink);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'CannotActivate', exitCode: 2 } });
    const [fix = ''] = (ending.kind === 'error' && ending.error.fields.fix) || [];
    expect(fix.endsWith(`: hosted-runner ${next} --runner linux`)).toBe(true);
    expect(touchable(world)).toEqual(before);
    const [, line = ''] = fix.split(': ');
    expect(await type(world, line)).toMatchObject({ kind: 'done' });
  });
});

function editStatus(world: World, value: string): void {
  putParameter(world, { name: parametersOf(stackOf(world)).status, value });
  absorb(world);
}

function idOf(world: World, description: string): RegistrationId {
  const found = Object.values(world.registrations).find((one) => one.description === description);
  return found?.id as RegistrationId;
}

/** Excludes the lock, whose log grows with every command. */
function touchable({ registrations, parameters }: World) {
  const { '/gitlab/dedicated/runner/linux/deployment_lock': _, ...others } = parameters;
  return [registrations, others];
}

describe('an activation with the runner of another shard', () => {
  const rows: readonly (readonly [string, (world: World) => RegistrationId, string])[] = [
    [
      'its description',
      (world) => idOf(world, 'purple-linux'),
      'Its description is "purple-linux".',
    ],
    [
      'the record, although it was renamed',
      (world) => {
        const id = idOf(world, 'purple-linux');
        (world.registrations[id] as { description: string }).description = 'my runner';
        return id;
      },
      'The record assigns it to purple.',
    ],
    [
      'its note of another stack',
      (world) => {
        const { registration } = addShard(world, { shard: pink, note: registrationMark('1-7') });
        registration.description = 'pink-windows';
        return registration.id as RegistrationId;
      },
      'A deployment registered it as "pink-windows".',
    ],
  ];

  test.each(rows)('gets refused because of %s', async (_, choose, why) => {
    const world = await rested();
    const registration = choose(world);
    const before = structuredClone(touchable(world));
    const ending = await drive(createSimulation({ world }), 'activate pink', {
      deploymentId: 'terminal-4',
      ci: 'terminal',
      act: (context) => activate(context, { shard: pink, registration }),
    });
    expect(ending.kind === 'error' && ending.error.fields).toEqual({
      code: 'RegistrationOfAnotherShard',
      exitCode: 2,
      what: `Runner ${registration} does not belong to pink, so pink cannot be activated with it; nothing was touched.`,
      why: [why],
      now: expect.stringMatching(/^purple accepts jobs/),
      fix: [
        'Show the runner of each shard: hosted-runner status --runner linux',
        'Activate pink with its own runner: hosted-runner activate --runner linux --shard pink',
      ],
    });
    expect(touchable(world)).toEqual(before);
  });

  test.each([
    ['that accepts jobs', purple],
    ['that is to be drained', pink],
  ])('uses the recorded runner among several of the shard %s', async (_, shard) => {
    const world = await at('promoted', (one) => {
      const own = idOf(one, `${shard}-linux`);
      const { registration: settings, runnerName } = stackOf(one);
      const described = { runnerName, shard };
      addRegistration(one, { shard: described, settings, tags: ['other'], note: 'by hand' });
      expect(idOf(one, `${shard}-linux`)).toBe(own);
    });
    const second = Object.values(world.registrations).find(({ note }) => note === 'by hand');
    const before = structuredClone(second);
    expect(
      await type(world, `hosted-runner activate --runner linux --shard ${shard}`),
    ).toMatchObject({ phase: 'promoted' });
    expect(second).toEqual(before);
    expect(world.violations).toEqual([]);
  });

  test('names the existing runners if several have its description', async () => {
    const world = await rested();
    const ids = [1, 2].map(() => addShard(world, { shard: pink, tags: [] }).registration.id);
    const ending = await drive(createSimulation({ world }), 'activate pink', {
      deploymentId: 'terminal-4',
      ci: 'terminal',
      act: (context) => activate(context, { shard: pink }),
    });
    expect(ending.kind === 'error' && ending.error.fields.fix).toEqual([
      ...ids.map(
        (id) =>
          `If ${id} is correct: hosted-runner activate --runner linux --shard pink --registration ${id}`,
      ),
      'In GitLab, leave the description pink-linux on one runner only, then: hosted-runner activate --runner linux --shard pink',
    ]);
    expect(idOf(world, 'purple-linux')).toBeDefined();
  });
});

test('gets refused for purple, which accepts jobs, with a runner of pink', async () => {
  const world = await rested((one) => {
    addShard(one, { shard: pink, tags: [] });
  });
  const registration = idOf(world, 'pink-linux');
  const ending = await drive(createSimulation({ world }), 'activate purple', {
    deploymentId: 'terminal-4',
    ci: 'terminal',
    act: (context) => activate(context, { shard: purple, registration }),
  });
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'RegistrationOfAnotherShard' } });
});
