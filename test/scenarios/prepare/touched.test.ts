import { describe, expect, test } from '@jest/globals';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { catalogue } from '../../errors/catalogue.ts';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { drive } from '../../stages/drive.ts';

/** Errors of the catalogue, one for each code and exit code. */
const errors = [...new Map(catalogue.map((one) => [`${one.code} ${one.exitCode}`, one])).values()];
const touching = errors.filter(({ exitCode }) => exitCode === 2);

async function endedBy(error: Error, before: (context: StageContext) => Promise<unknown>) {
  const simulation = createSimulation({ world: worldWithActive(pink) });
  const act = async (context: StageContext) => {
    await before(context);
    throw error;
  };
  const ending = await drive(simulation, 'provision', { deploymentId: '1-200', act });
  if (ending.kind !== 'error') throw new Error(`it was ${ending.kind}`);
  return ending.error;
}

const readOwner = ({ ports }: StageContext) => ports.pipelines.readOwner({ deploymentId: '1-100' });
const register = ({ ports, settings }: StageContext) =>
  ports.registry.create({
    shard: { shard: purple, runnerName: settings.runnerName },
    settings: settings.registration,
    tags: ['canary'],
    note: 'made by a test',
  });

describe('exit code 2 for an untouched stack', () => {
  test('applies to some errors of the catalogue, not to all', () => {
    expect(touching.length).toBeGreaterThan(25);
    expect(touching.length).toBeLessThan(errors.length);
  });

  test.each(errors.map((error) => [error.code, error] as const))(
    'remains the exit code of %s after reads alone',
    async (_, error) => {
      expect((await endedBy(error, readOwner)).exitCode).toBe(error.exitCode);
    },
  );

  test.each(errors.map((error) => [error.code, error] as const))(
    'never ends %s after an effect',
    async (code, error) => {
      const reported = await endedBy(error, register);
      const exitCode = error.exitCode === 2 ? 1 : error.exitCode;
      expect({ code: reported.code, exitCode: reported.exitCode }).toEqual({ code, exitCode });
    },
  );

  test('comes with another now line than an error after an effect', async () => {
    for (const error of touching) {
      const { now } = (await endedBy(error, register)).fields;
      expect(now).not.toBe(error.fields.now ?? '');
      expect(now).toMatch(/pink/);
    }
  });
});
