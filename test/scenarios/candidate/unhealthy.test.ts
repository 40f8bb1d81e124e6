import { describe, expect, test } from '@jest/globals';
import { diagnoses } from '../../../src/domain/health/diagnosis-catalogue.ts';
import { commandsIn } from '../../errors/commands-in.ts';
import { pink, worldWithActive } from '../../fakes/builders.ts';
import { parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { sampleOf } from '../../support/sample.ts';
import { openScene } from '../scene.ts';
import { type Cause, causes } from './causes.ts';
import { expectUntouched, provisionedUnder } from './provisioned-under.ts';

describe('the error at the healthcheck deadline', () => {
  test.each(causes)(
    'names the cause, and advises a second run only if it can help: $code',
    async (cause) => {
      const { scene, world } = await provisionedUnder(cause);
      const first =
        scene.story.find((line) => /; a longer wait (?:may|cannot) help: /.test(line)) ?? '';
      expect(first).toContain(`${cause.title}; a longer wait `);
      expect(first).toContain(`. Observed: ${cause.seen}.`);
      const types = commandsIn(scene.story).map((line) =>
        line.replace(/^hosted-runner /, '').replace(' --runner linux', ''),
      );
      expect(types).toEqual(cause.types);
      const isLasting = first.includes('a longer wait cannot help');
      const isAdvised = scene.story.some((line) => line.includes('Run it again: '));
      expect(isAdvised).toBe(!isLasting || diagnoses[cause.code].last.command === 'provision');
      expectUntouched(world);
    },
  );
});

test('quotes the log at the time of the verdict, not of the host check', async () => {
  const broken = causes.filter(({ code }) => code === 'executor_broken');
  for (const cause of broken) {
    let count = 0;
    const { scene } = await provisionedUnder(cause, {
      also: ({ port, method }, { hosts }) => {
        // The canary comes long after the host check. A cancel comes after the verdict.
        if (port !== 'canary' || method === 'cancel') return undefined;
        count += 1;
        for (const host of hosts) host.log.push(`WARNING: Preparation failed: line ${count}`);
        return undefined;
      },
    });
    const logLine = scene.story.find((line) => /The log of \S+ has: /.test(line)) ?? '';
    const [last] = logLine.match(/\d+(?=\.$)/) ?? [];
    expect(count - Number(last)).toBeLessThanOrEqual(1);
  }
});

/** Returns the error code: a failed canary is no timeout. */
function codeOf({ code }: Cause): string {
  return code === 'executor_broken' ? 'CanaryFailed' : 'HealthcheckTimedOut';
}

describe('a cause that ends after five minutes', () => {
  test.each(sampleOf(causes, ({ code }) => `a cause that ends after five minutes ${code}`))(
    '$code',
    async (cause) => {
      const { code, world } = await provisionedUnder(cause, { overAfterMs: 300_000 });
      expect(code).toBe(cause.isFixed ? 'done' : codeOf(cause));
      if (!cause.isFixed) expectUntouched(world);
    },
  );
});

describe('a cause while no source responds', () => {
  test.each(sampleOf(causes, ({ code }) => `a cause while no source responds ${code}`))(
    '$code',
    async (cause) => {
      const methods = ['look', 'find', 'listWorkers', 'verifyToken', 'list', 'findNewest'];
      const { code, world } = await provisionedUnder(cause, {
        also: ({ port, method }) =>
          ['host', 'registry', 'instances', 'canary'].includes(port) && methods.includes(method)
            ? { kind: 'error_before', failure: 'unreachable' }
            : undefined,
      });
      expect(code).toBe('HealthInconclusive');
      expectUntouched(world);
    },
  );
});

describe('a cause with responses that are late by twenty seconds', () => {
  test.each(
    sampleOf(
      causes,
      ({ code }) => `a cause with responses that are late by twenty seconds ${code}`,
    ),
  )('$code', async (cause) => {
    const { code, world } = await provisionedUnder(cause, {
      also: ({ port, effect }) =>
        ['host', 'registry', 'canary'].includes(port) && !effect
          ? { kind: 'delay', beforeMs: 20_000 }
          : undefined,
    });
    expect(code).toBe(codeOf(cause));
    expectUntouched(world);
  });
});

describe('a cause with outdated first responses', () => {
  test.each(sampleOf(causes, ({ code }) => `a cause with outdated first responses ${code}`))(
    '$code',
    async (cause) => {
      let stale = 0;
      const { code, world } = await provisionedUnder(cause, {
        also: ({ port, effect }) => {
          if (!['host', 'registry', 'canary'].includes(port) || effect || stale >= 20)
            return undefined;
          stale += 1;
          return { kind: 'stale' };
        },
      });
      expect(code).toBe(codeOf(cause));
      expectUntouched(world);
    },
  );
});

describe('a cause with unreadable host reports', () => {
  test.each(causes.filter(({ code }) => code !== 'registration_deleted'))(
    '$code',
    async (cause) => {
      const { code, world } = await provisionedUnder(cause, {
        also: (_, { hosts }) => {
          for (const host of hosts) Object.assign(host, { process: 'unknown', listens: false });
          return undefined;
        },
      });
      expect(['HealthcheckTimedOut', 'HealthInconclusive']).toContain(code);
      expectUntouched(world);
    },
  );
});

function recordOf(world: World): string {
  const [stack] = world.stacks;
  return stack === undefined ? '' : (parameterValue(world, parametersOf(stack).record) ?? '');
}

describe('a canary that was given secrets of the deployment', () => {
  async function provisioned(...canaryHas: string[]) {
    const world = worldWithActive(pink);
    world.behaviour.canaryHas = canaryHas;
    const scene = openScene(world);
    for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
    const startedAt = world.now;
    const ending = await scene.type('provision');
    if (ending.kind !== 'error') throw new Error(`provision ended: ${ending.kind}`);
    return { world, scene, error: ending.error, tookMs: world.now - startedAt };
  }

  test('counts against no candidate, and the error has a separate cause and commands', async () => {
    const { world, error } = await provisioned('HOSTED_RUNNER_GITLAB_TOKEN');
    const [canary] = Object.values(world.jobs).filter(({ kind }) => kind === 'canary');
    expect(error).toMatchObject({
      code: 'HealthInconclusive',
      exitCode: 1,
      fields: {
        what: 'The canary of purple received HOSTED_RUNNER_GITLAB_TOKEN, so the result of the canary is void. It does not count as an unhealthy verdict.',
        why: [
          'The variable has the environment scope * (in the project, a group or the instance).',
          `Job https://gitlab.example.com/platform/runners/-/jobs/${canary?.id} ran on a host that also runs customers' jobs.`,
        ],
        fix: [
          'Define HOSTED_RUNNER_GITLAB_TOKEN in the project only; its environment scope is in docs/use/gitlab.md, section The token and the canary. Replace the secret value, because a job may have read it.',
          'Then run it again: hosted-runner provision --runner linux',
        ],
      },
    });
    expectUntouched(world);
  });

  test('ends the healthcheck at once without a second canary', async () => {
    const { world, tookMs } = await provisioned('GITLAB_TOKEN', 'AWS_SECRET_ACCESS_KEY');
    expect(Object.values(world.jobs).filter(({ kind }) => kind === 'canary')).toHaveLength(1);
    expect(tookMs).toBeLessThan(10 * 60_000);
  });

  test('keeps the count of unhealthy verdicts, so recover removes no candidate', async () => {
    const { world, scene } = await provisioned('HOSTED_RUNNER_GITLAB_TOKEN');
    delete world.behaviour.canaryHas;
    expect(recordOf(world)).toContain('"unhealthy_in_a_row":0');
    expect(recordOf(world)).not.toMatch(/"unhealthy_in_a_row":[1-9]/);
    expect(await scene.type('provision')).toMatchObject({ phase: 'promoted' });
  });
});
