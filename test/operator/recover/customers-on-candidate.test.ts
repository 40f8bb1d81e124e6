import { expect, test } from '@jest/globals';
import { recoveryMethods } from '../../../src/domain/deployment/recovery-methods.ts';
import { endPipelines } from '../../broken-stacks/state.ts';
import { commandsIn } from '../../errors/commands-in.ts';
import { purple } from '../../fakes/builders.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { reach } from '../../stages/reach.ts';
import { asTyped } from '../../support/typing.ts';
import { examine, stackOf, type } from '../doctor/examine.ts';
import { failed } from './failed-candidate.ts';

const hour = 3_600_000;

/**
 * Starts a job of two hours on the candidate. It counts as a customer job, with the canary's tag or
 * another one.
 */
async function withJob(build: () => Promise<World>, visible: boolean) {
  const world = await build();
  endPipelines(world);
  for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'ok';
  const [registration] = registrationsOf(world, stackOf(world), purple);
  if (registration === undefined) throw new Error('purple has no runner');
  registration.paused = false;
  const { tags } = registration;
  const job = submitJob(world, { name: 'build', tags, durationMs: 2 * hour, visible });
  const { advance } = createSimulation({ world });
  for (let waited = 0; job.status !== 'running' && waited < 60; waited += 1) await advance(5000);
  expect({ status: job.status, on: job.registrationId }).toEqual({
    status: 'running',
    on: registration.id,
  });
  return { world, id: job.id };
}

/** Returns the job's end, which must be a success whatever was typed. */
async function endsWell(world: World, id: string): Promise<readonly unknown[]> {
  await createSimulation({ world }).advance(3 * hour);
  const { status, interruptedBy } = world.jobs[id] ?? {};
  return [status, interruptedBy, ...world.violations];
}

const candidates = [
  ['that failed twice', () => failed(2, 'fails_jobs')],
  ['that failed twice, with Terraform', () => failed(2, 'fails_jobs', 'terraform')],
  ['that is built', () => reach('applied')],
  ['that is healthy', () => reach('healthy')],
] as const;

const methods = [...recoveryMethods, 'auto'] as const;
const cases = candidates.flatMap(([which, build]) =>
  [true, false].flatMap((visible) => methods.map((method) => ({ which, build, visible, method }))),
);
test.each(cases)(
  'a customer job on a candidate $which (visible: $visible) survives recover --method $method and the printed commands',
  async ({ build, visible, method }) => {
    const { world, id } = await withJob(build, visible);
    const untouched = structuredClone(world);
    const ending = await type(
      world,
      `hosted-runner recover --runner linux --method ${method} --yes`,
    );
    const printed = ending.kind === 'error' ? commandsIn(ending.error.fields.fix ?? []) : [];
    const { findings } = await examine(structuredClone(untouched));
    const doctor = commandsIn(findings.flatMap(({ commands }) => asTyped(commands)));
    expect(await endsWell(structuredClone(world), id)).toEqual(['success', undefined]);
    for (const line of new Set([...printed, ...doctor])) {
      const then = structuredClone(world);
      await type(then, line);
      expect({ line, end: await endsWell(then, id) }).toEqual({
        line,
        end: ['success', undefined],
      });
    }
  },
);
