import { describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { recover, refuseUnconfirmed } from '../../src/operator/recover/recover.ts';
import { activate, refuseActivation } from '../../src/operator/takeover/activate.ts';
import { refuseRollback, rollback } from '../../src/operator/takeover/rollback.ts';
import { pink, purple } from '../fakes/builders.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { parametersOf } from '../fakes/world/serving.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, type Drive, drive } from '../stages/drive.ts';
import { arrive, reach } from '../stages/reach.ts';
import { stackOf } from './doctor/examine.ts';
import { failed } from './recover/failed-candidate.ts';

/** What one answer of whomever takes; everything that passes here is waited for. */
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

const unknown = '49999' as RegistrationId;

function activating(activation: Parameters<typeof activate>[1]): Partial<Drive> {
  return {
    act: (context) => activate(context, activation),
    refuse: (context, free) => refuseActivation(context, activation, free),
  };
}

describe('what is refused takes no lock, and waits for few answers one after the other', () => {
  test('a rollback of nothing', async () => {
    const options = { act: rollback, refuse: refuseRollback };
    // As a pipeline leaves it: the lock is there, and is free.
    expect(await answers(await arrive('done'), 'rollback', options)).toEqual({
      code: 'NothingToRollBack',
      answers: 7,
      lockIsUntouched: true,
    });
  });

  test('an activation of a runner that there is not', async () => {
    const options = activating({ shard: pink, registration: unknown });
    expect(await answers(await reach('done'), 'activate pink', options)).toEqual({
      code: 'NoSuchRegistration',
      answers: 7,
      lockIsUntouched: true,
    });
  });

  test('an activation of a shard without a runner', async () => {
    const options = activating({ shard: pink });
    expect(await answers(await reach('done'), 'activate pink', options)).toEqual({
      code: 'NoSuchRegistration',
      answers: 8,
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
      answers: 8,
      lockIsUntouched: true,
    });
  });

  test.each([
    ['cleanup', 1, 'CannotRecover', 17],
    ['auto', 2, 'NotConfirmed', 18],
  ] as const)('a recovery by %s, after %i failures', async (method, times, code, most) => {
    const world = await failed(times, 'fails_jobs');
    const recovery = { method, consent: { kind: 'nobody' } } as const;
    const options: Partial<Drive> = {
      act: (context) => recover(context, recovery),
      refuse: (context, free) => refuseUnconfirmed(context, recovery, free),
    };
    expect(await answers(world, 'recover auto', options)).toEqual({
      code,
      answers: most,
      lockIsUntouched: true,
    });
  });
});
