import { describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { recover } from '../../src/operator/recover/recover.ts';
import { refuseRecovery } from '../../src/operator/recover/recovery-preflight.ts';
import { activate, judgeActivation } from '../../src/operator/takeover/activate.ts';
import { judgeRollback, rollback } from '../../src/operator/takeover/rollback.ts';
import { pink, purple, worldWithActive } from '../fakes/builders.ts';
import type { Call } from '../fakes/faults/fault-wrapper.ts';
import { addPipeline } from '../fakes/ports/pipelines-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { parametersOf } from '../fakes/world/serving.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, type Drive, drive } from '../stages/drive.ts';
import { arrive, reach } from '../stages/reach.ts';
import { stackOf } from './doctor/examine.ts';
import { failed } from './recover/failed-candidate.ts';

/**
 * What one answer of whomever takes; everything that passes here is waited for. The last one is asked
 * whose a job is, where a job is all that proves the shard that serves.
 */
const answerMs = 1000;

/** How a command ended, after how many answers that were waited for one after the other. */
async function answers(world: World, command: Command, options: Partial<Drive> = {}) {
  const simulation = createSimulation({ world, latencyMs: answerMs });
  const begunAt = world.now;
  const lock = JSON.stringify(world.parameters[parametersOf(stackOf(world)).lock]);
  const ending = await drive(simulation, command, {
    deploymentId: 'terminal-4',
    ci: 'terminal',
    ...options,
  });
  return {
    code: ending.kind === 'error' ? ending.error.code : ending.kind,
    answers: (world.now - begunAt) / answerMs,
    lockIsUntouched: lock === JSON.stringify(world.parameters[parametersOf(stackOf(world)).lock]),
  };
}

/** Of a pipeline that was created before the record's. */
const older = { deploymentId: '1-150', ci: 'gitlab' } as const;
const unknown = '49999' as RegistrationId;

function activating(activation: Parameters<typeof activate>[1]): Partial<Drive> {
  return {
    act: (context) => activate(context, activation),
    refuse: (context) => judgeActivation(context, activation),
  };
}

describe('what is refused takes no lock, and waits for few answers one after the other', () => {
  test.each([
    ['promote', 'prepared', 'StageOutOfOrder', 7],
    ['provision', 'none', 'NotPrepared', 7],
  ] as const)('%s of what is %s', async (command, place, code, most) => {
    const world = place === 'none' ? worldWithActive(pink) : await arrive(place);
    expect(await answers(world, command)).toEqual({ code, answers: most, lockIsUntouched: true });
  });

  test.each(['provision', 'prepare', 'deploy'] as const)(
    '%s of an older pipeline',
    async (command) => {
      const world = await arrive('prepared');
      addPipeline(world, { deploymentId: '1-150', createdAt: world.now - 86_400_000 });
      expect(await answers(world, command, older)).toEqual({
        code: 'PipelineSuperseded',
        answers: 6,
        lockIsUntouched: true,
      });
    },
  );

  test('a rollback of nothing', async () => {
    const options = { act: rollback, refuse: judgeRollback };
    // As a pipeline leaves it: the lock is there, and is free.
    expect(await answers(await arrive('done'), 'rollback', options)).toEqual({
      code: 'NothingToRollBack',
      answers: 6,
      lockIsUntouched: true,
    });
  });

  test('an activation of a runner that there is not', async () => {
    const options = activating({ shard: pink, registration: unknown });
    expect(await answers(await reach('done'), 'activate pink', options)).toEqual({
      code: 'NoSuchRegistration',
      answers: 5,
      lockIsUntouched: true,
    });
  });

  test('an activation of a shard without a runner', async () => {
    const options = activating({ shard: pink });
    expect(await answers(await reach('done'), 'activate pink', options)).toEqual({
      code: 'NoSuchRegistration',
      answers: 6,
      lockIsUntouched: true,
    });
  });

  test("an activation with the other shard's runner", async () => {
    const world = await reach('done');
    const { id } = Object.values(world.registrations).find(
      ({ description }) => description === `${purple}-linux`,
    ) as { id: string };
    const options = activating({ shard: pink, registration: id as RegistrationId });
    expect(await answers(world, 'activate pink', options)).toEqual({
      code: 'RegistrationOfAnotherShard',
      answers: 6,
      lockIsUntouched: true,
    });
  });

  test.each([
    ['cleanup', 1, 'CannotRecover', 14],
    ['auto', 2, 'NotConfirmed', 14],
  ] as const)('a recovery by %s, after %i failures', async (method, times, code, most) => {
    const world = await failed(times, 'fails_jobs');
    const recovery = { method, consent: { kind: 'nobody' } } as const;
    const options: Partial<Drive> = {
      act: (context) => recover(context, recovery),
      refuse: (context) => refuseRecovery(context, recovery),
    };
    expect(await answers(world, 'recover auto', options)).toEqual({
      code,
      answers: most,
      lockIsUntouched: true,
    });
  });
});

const hosts = ({ port, method }: Call) => port === 'host' && method === 'look';
const gitlab = ({ port }: Call) => port === 'registry';

test.each([
  [
    'a host',
    hosts,
    /^purple is active, and it is not proven to serve: runner \d+ of purple is un-paused and has its tags; its hosts did not answer in time; /,
  ],
  [
    'GitLab',
    gitlab,
    /^purple is active, and whether it serves is not known: nobody said in time\.$/,
  ],
])(
  'what is refused at once does not wait for %s that hangs, and tells what else is known',
  async (_, hangs, now) => {
    const world = await reach('done');
    const simulation = createSimulation({
      world,
      intercept: (call) => (hangs(call) ? { kind: 'delay', beforeMs: 90_000 } : undefined),
    });
    const begunAt = world.now;
    const ending = await drive(simulation, 'rollback', {
      deploymentId: 'terminal-4',
      ci: 'terminal',
      act: rollback,
      refuse: judgeRollback,
    });
    expect(ending).toMatchObject({
      error: { code: 'NothingToRollBack', fields: { now: expect.stringMatching(now) } },
    });
    expect(world.now - begunAt).toBeLessThan(20_000);
  },
);

test.each(['onboarded', 'promoted'] as const)(
  'GitLab that hangs while a deployment is %s leaves what the status says to be told',
  async (phase) => {
    const simulation = createSimulation({
      world: await reach(phase),
      intercept: (call) => (gitlab(call) ? { kind: 'delay', beforeMs: 90_000 } : undefined),
    });
    const ending = await drive(simulation, 'activate pink', {
      deploymentId: 'terminal-4',
      ci: 'terminal',
      ...activating({ shard: 'green' as typeof pink }),
    });
    const now = expect.stringMatching(
      /^(?:pink|purple) is active, and whether it serves is not known: nobody said in time\./,
    );
    expect(ending).toMatchObject({ error: { fields: { now } } });
  },
);
