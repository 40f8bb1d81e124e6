import { describe, expect, test } from '@jest/globals';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { catalogue } from '../../errors/catalogue.ts';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { drive } from '../../stages/drive.ts';

/** Once for each code and each exit code that it is given with. */
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

const look = ({ ports }: StageContext) => ports.pipelines.readOwner({ deploymentId: '1-100' });
const register = ({ ports, settings }: StageContext) =>
  ports.registry.create({
    shard: { shard: purple, runnerName: settings.runnerName },
    settings: settings.registration,
    tags: ['canary'],
    note: 'made by a test',
  });

describe('exit code 2 says that nothing was touched', () => {
  test('most errors of the catalogue are about something else', () => {
    expect(touching.length).toBeGreaterThan(25);
    expect(touching.length).toBeLessThan(errors.length);
  });

  test.each(errors.map((error) => [error.code, error] as const))(
    '%s keeps its exit code after looks alone',
    async (_, error) => {
      expect((await endedBy(error, look)).exitCode).toBe(error.exitCode);
    },
  );

  test.each(errors.map((error) => [error.code, error] as const))(
    '%s is never given it after an effect',
    async (code, error) => {
      const told = await endedBy(error, register);
      const exitCode = error.exitCode === 2 ? 1 : error.exitCode;
      expect({ code: told.code, exitCode: told.exitCode }).toEqual({ code, exitCode });
    },
  );

  test('what was said of an untouched stack is not said of a touched one', async () => {
    for (const error of touching) {
      const { now } = (await endedBy(error, register)).fields;
      expect(now).not.toBe(error.fields.now ?? '');
      expect(now).toMatch(/pink/);
    }
  });
});
