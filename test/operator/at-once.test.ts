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
import { parametersOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, type Drive, drive } from '../stages/drive.ts';
import { arrive, reach } from '../stages/reach.ts';
import { stackOf } from './doctor/examine.ts';
import { failed } from './recover/failed-candidate.ts';

/**
 * Duration of one response of any source, counted along the sequence of waits. The last response
 * names a job's owner, if only a job proves the active shard.
 */
const answerMs = 1000;

/** Runs a command. Returns its end and the number of sequential responses that it waited for. */
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

/** Pipeline that was created before the record's. */
const older = { deploymentId: '1-150', ci: 'gitlab' } as const;
const unknown = '49999' as RegistrationId;

function activating(activation: Parameters<typeof activate>[1]): Partial<Drive> {
  return {
    act: (context) => activate(context, activation),
    refuse: (context) => judgeActivation(context, activation),
  };
}

describe('a refusal without a lock and after few responses', () => {
  test.each([
    ['promote', 'prepared', 'StageOutOfOrder', 7],
    ['provision', 'none', 'NotPrepared', 7],
  ] as const)('covers %s at %s', async (command, place, code, most) => {
    const world = place === 'none' ? worldWithActive(pink) : await arrive(place);
    expect(await answers(world, command)).toEqual({ code, answers: most, lockIsUntouched: true });
  });

  test.each(['provision', 'prepare', 'deploy'] as const)(
    'covers %s of an older pipeline',
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

  test('covers a rollback without a target', async () => {
    const options = { act: rollback, refuse: judgeRollback };
    // After a pipeline, the lock exists and is free.
    expect(await answers(await arrive('done'), 'rollback', options)).toEqual({
      code: 'NothingToRollBack',
      answers: 6,
      lockIsUntouched: true,
    });
  });

  test('covers an activation of an unknown runner', async () => {
    const options = activating({ shard: pink, registration: unknown });
    expect(await answers(await reach('done'), 'activate pink', options)).toEqual({
      code: 'NoSuchRegistration',
      answers: 5,
      lockIsUntouched: true,
    });
  });

  test('covers an activation of a shard without a runner', async () => {
    const options = activating({ shard: pink });
    expect(await answers(await reach('done'), 'activate pink', options)).toEqual({
      code: 'NoSuchRegistration',
      answers: 6,
      lockIsUntouched: true,
    });
  });

  test('covers an activation with the runner of the other shard', async () => {
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
  ] as const)('covers a recovery by %s after %i failures', async (method, times, code, most) => {
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
    /^purple is active but not verified: runner \d+ of purple is unpaused and has its tags; its hosts did not respond in time; /,
  ],
  [
    'GitLab',
    gitlab,
    /^purple is active; it is unknown whether it accepts jobs: the check timed out\.$/,
  ],
])(
  'a refusal before the lock does not wait for %s without a response and reports the other facts',
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
  'a GitLab without a response while a deployment is %s does not hide the status',
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
      /^(?:pink|purple) is active; it is unknown whether it accepts jobs: the check timed out\./,
    );
    expect(ending).toMatchObject({ error: { fields: { now } } });
  },
);
