import { describe, expect, test } from '@jest/globals';
import { parametersOf, parameterValue } from '../fakes/serving.ts';
import type { World } from '../fakes/world.ts';
import type { Ending } from '../stages/drive.ts';
import { type Cause, candidateOf, causes, type Spoiling, spoiling, worldOf } from './causes.ts';
import { openScene, type Scene } from './scene.ts';

async function provisionUnder(
  cause: Cause,
  options: Spoiling = {},
): Promise<{ scene: Scene; ending: Ending; world: World }> {
  const world = worldOf(cause);
  const scene = openScene(world, spoiling(world, cause, options));
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  scene.story.length = 0;
  const ending = await scene.type('provision');
  return { scene, ending, world };
}

/** Whatever is wrong with the candidate: pink goes on serving, and purple gets no customer's job. */
function expectUntouched(world: World): void {
  const [stack] = world.stacks;
  if (stack === undefined) throw new Error('the world has no stack');
  expect(parameterValue(world, parametersOf(stack).status)).toContain('"active_shard":"pink"');
  expect(candidateOf(world).registration?.tags ?? []).not.toContain('linux');
  expect(world.violations).toEqual([]);
}

const codeOf = (ending: Ending) => (ending.kind === 'error' ? ending.error.code : ending.kind);

describe('at the deadline the error says what stands behind it', () => {
  test.each(causes)('$code', async (cause) => {
    const { scene, world } = await provisionUnder(cause);
    expect(scene.story).toMatchSnapshot();
    expectUntouched(world);
  });
});

describe('a cause that is over after five minutes', () => {
  test.each(causes)('$code', async (cause) => {
    const { ending, world } = await provisionUnder(cause, { overAfterMs: 300_000 });
    expect(codeOf(ending)).toBe(cause.mends ? 'done' : 'HealthcheckTimedOut');
    if (!cause.mends) expectUntouched(world);
  });
});

describe('where nobody answers who could tell the cause', () => {
  test.each(causes)('$code', async (cause) => {
    const asked = ['look', 'find', 'listWorkers', 'verifyToken', 'list', 'findNewest'];
    const { ending, world } = await provisionUnder(cause, {
      also: ({ port, method }) =>
        ['host', 'registry', 'instances', 'canary'].includes(port) && asked.includes(method)
          ? { kind: 'error_before', failure: 'unreachable' }
          : undefined,
    });
    expect(codeOf(ending)).toBe('HealthInconclusive');
    expectUntouched(world);
  });
});

describe('where answers are late by twenty seconds each', () => {
  test.each(causes)('$code', async (cause) => {
    const { ending, world } = await provisionUnder(cause, {
      also: ({ port, effect }) =>
        ['host', 'registry', 'canary'].includes(port) && !effect
          ? { kind: 'delay', beforeMs: 20_000 }
          : undefined,
    });
    expect(codeOf(ending)).toBe('HealthcheckTimedOut');
    expectUntouched(world);
  });
});

describe('where the first answers are those of the moment before', () => {
  test.each(causes)('$code', async (cause) => {
    let stale = 0;
    const { ending, world } = await provisionUnder(cause, {
      also: ({ port, effect }) => {
        if (!['host', 'registry', 'canary'].includes(port) || effect || stale >= 20)
          return undefined;
        stale += 1;
        return { kind: 'stale' };
      },
    });
    expect(codeOf(ending)).toBe('HealthcheckTimedOut');
    expectUntouched(world);
  });
});

describe('where hosts tell what nobody knows how to read', () => {
  test.each(causes.filter(({ code }) => code !== 'registration_deleted'))(
    '$code',
    async (cause) => {
      const { ending, world } = await provisionUnder(cause, {
        also: (_, { hosts }) => {
          for (const host of hosts) Object.assign(host, { process: 'unknown', listens: false });
          return undefined;
        },
      });
      expect(['HealthcheckTimedOut', 'HealthInconclusive']).toContain(codeOf(ending));
      expectUntouched(world);
    },
  );
});
