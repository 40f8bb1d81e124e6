import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { WorkerRemoval } from '../../../src/ports/registry.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { CallNote, type TraceEntry } from '../../fakes/faults/trace.ts';
import { countJobs } from '../../fakes/world/job-counts.ts';
import {
  fleetWorld,
  giveJobs,
  pinkHosts,
  type RemovalLine,
  removalLines,
} from '../removal/removal-lines.ts';
import { openScene, pipeline, type Scene } from '../scene.ts';

const minute = 60_000;

/** Opens a fleet with pink deployed first and purple just promoted. */
async function promoted(line: RemovalLine, beside?: Intercept): Promise<Scene> {
  const world = fleetWorld(line);
  const faults = [...(line.faults ?? [])];
  const scene = openScene(world, (call) =>
    call.method === 'retireWorkers' ? faults.shift() : beside?.(call),
  );
  await pipeline(scene, '1-100');
  for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
  await line.before?.(scene, pinkHosts(world));
  return scene;
}

/**
 * Runs `finalize` every minute until it is done. Lists GitHub's response to each removal and the
 * end of each run.
 */
async function retire(scene: Scene): Promise<string[]> {
  const { simulation } = scene;
  const story: string[] = [];
  for (let run = 0; run < 12; run += 1) {
    const traceStart = simulation.trace.length;
    const ending = await scene.type('finalize');
    story.push(...simulation.trace.slice(traceStart).flatMap(formatRemoval));
    if (ending.phase === 'done') return story;
    if (ending.kind === 'error') story.push(`= ${ending.error.code}`);
    await simulation.advance(minute);
  }
  throw new Error(`never done:\n${story.join('\n')}`);
}

function formatRemoval({ method, answer }: TraceEntry): string[] {
  if (method !== 'retireWorkers') return [];
  if (!Array.isArray(answer)) return [answer instanceof CallNote ? answer.text : String(answer)];
  const removals: readonly WorkerRemoval[] = answer;
  return removals.map(({ worker, outcome }) => `${worker.id} ${outcome}`);
}

/** Expects the order of a removal: labels, processes, runners, machines. */
function expectInOrder({ simulation }: Scene): void {
  const first = (name: string) => simulation.trace.findIndex(({ method }) => method === name);
  const order = ['setIntake', 'quit', 'retireWorkers', 'destroy'].map(first);
  const called = order.filter((at) => at >= 0);
  expect(called).toEqual([...called].sort((one, other) => one - other));
}

describe('the removal of GitHub runners', () => {
  test.each(removalLines)('handles $name', async (line) => {
    const scene = await promoted(line);
    expect(await retire(scene)).toEqual(line.answers ?? ['701 removed']);
    expectInOrder(scene);
    await scene.simulation.advance(60 * minute);
    const { interrupted, lost } = countJobs(scene.world);
    expect([...scene.world.violations, { interrupted, lost }]).toEqual([
      { interrupted: 0, lost: line.lost ?? 0 },
    ]);
    if (line.lost === undefined) expect(await scene.rest()).toEqual([]);
  });
});

test.each([
  ['ended', 'CredentialsEnded'],
  ['unauthenticated', 'CredentialsRefused'],
] as const)(
  'lost credentials (%s) end the removal instead of leaving a machine unknown',
  async (failure, code) => {
    const line = removalLines.find(({ name }) => name.startsWith('no host, because'));
    if (line === undefined) throw new Error('the shard is never scaled to zero');
    let areOut = false;
    const scene = await promoted(line, ({ port, method }) =>
      areOut && port === 'instances' && method === 'find'
        ? { kind: 'error_before', failure }
        : undefined,
    );
    areOut = true;
    expect(await scene.type('finalize')).toMatchObject({ kind: 'error', error: { code } });
    areOut = false;
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(scene.world.violations).toEqual([]);
  },
);

describe('a GitHub fleet whose hosts may not be queried', () => {
  /** Switches off host access for later runs. Running commands keep their access. */
  function closeHosts({ world }: Scene, drain: Partial<StackSettings['drain']> = {}): void {
    world.stacks = world.stacks.map((stack) => ({
      ...stack,
      host: { ...stack.host, access: 'none' },
      drain: { ...stack.drain, ...drain },
    }));
  }

  test('gets refused by prepare', async () => {
    const scene = openScene(fleetWorld());
    closeHosts(scene);
    const ending = await scene.type('prepare', { deploymentId: '1-100' });
    expect(ending).toMatchObject({
      kind: 'error',
      error: {
        fields: {
          why: expect.arrayContaining([
            'host.access is none: only the hosts can prove that runners of GitHub are idle, so the retiring shard could never be retired; set host.access to run_command',
          ]),
        },
      },
    });
  });

  test('makes a started drain wait without end, and no runner is stopped or removed', async () => {
    const scene = await promoted({ name: '', before: giveJobs });
    closeHosts(scene);
    const deadline = scene.world.now + 60 * minute;
    const ending = await scene.type('finalize', { deadline });
    expect(ending).toMatchObject({ kind: 'error', phase: 'draining' });
    expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toBe(
      "No host is queried, and GitHub's report of no running job proves nothing.",
    );
    expect(scene.simulation.trace.map(({ method }) => method)).not.toContain('retireWorkers');
  });

  test('needs drain.force_after to continue, and the log names the removed runners', async () => {
    const scene = await promoted({ name: '', before: giveJobs });
    scene.world.behaviour.killAllowed = true;
    closeHosts(scene, { forceAfterMs: 30 * minute });
    const ending = await scene.type('finalize');
    expect(ending.phase).toBe('done');
    expect(ending.log.filter((line) => /^! Removed by/.test(line))).toEqual([
      '! Removed by drain.force_after: runner 701 "s_000000000001", although its host i-0abc0000000000001 is not queried and may still run. Its job, if any, is canceled.',
    ]);
    expect(countJobs(scene.world)).toMatchObject({ interrupted: 0, lost: 0 });
  });
});
