import { describe, expect, test } from '@jest/globals';
import { sampleOf } from '../support/sample.ts';
import { expand, renderTemplate } from './configuration.ts';
import {
  findMissingNeeds,
  findMutualWaits,
  type Graph,
  type GraphJob,
  readGraph,
} from './graph.ts';
import { explore, type Roles } from './graph-exploration.ts';
import { explorePair } from './graph-pair.ts';
import { movesByItself, movesOfPeople, type Status, type Statuses } from './graph-rules.ts';

const name = (stage: string) => `hosted_runner_${stage}`;

function deployment(inputs: Record<string, unknown> = {}) {
  const given = { runner_name: 'linux', runner_tags: ['operations'], ...inputs };
  return expand(renderTemplate('deploy', { inputs: given }));
}

const plain = readGraph(deployment());
const approved = readGraph(deployment({ approval: true }));
const baked = readGraph(deployment({ bake: true }));
const variants: readonly (readonly [string, Graph, Roles])[] = [
  ['without an approval', plain, { switching: [name('provision')], last: name('finalize') }],
  [
    'with an approval',
    approved,
    {
      switching: [name('provision'), name('promote')],
      gate: name('promote'),
      last: name('finalize'),
    },
  ],
  ['with a bake', baked, { switching: [name('provision')], last: name('finalize') }],
];

/**
 * provision polls the canary until its end, and the canary runs on the host that provision builds.
 */
const waits = [{ job: name('provision'), on: name('canary') }];

/** Removes the canary. No job needs it (see below), so it only multiplies the states. */
const withoutCanary = (graph: Graph) => graph.filter((job) => job.name !== name('canary'));

function changed(graph: Graph, stage: string, change: Partial<GraphJob>): Graph {
  expect(graph.map((job) => job.name)).toContain(name(stage));
  return graph.map((job) => (job.name === name(stage) ? { ...job, ...change } : job));
}

describe('the job graph', () => {
  test.each([
    ['without an approval', plain],
    ['with an approval', approved],
    ['with a bake', baked],
  ])('matches the reviewed graph %s', (_, graph) => {
    const table = graph.map(({ name: job, needs, ...rest }) => [
      job,
      needs.map((need) => `${need.job}${need.optional ? ' (optional)' : ''}`).join(', ') || '–',
      rest.when,
      rest.allowFailure ? 'may fail' : 'must succeed',
      rest.resourceGroup ?? '–',
    ]);
    expect(table.map((row) => row.join(' | ')).join('\n')).toMatchSnapshot();
  });

  test.each(variants)('lacks no needed job %s', (_, graph) => {
    expect(findMissingNeeds(graph)).toEqual([]);
  });

  test.each(sampleOf(variants, ([variant]) => variant))(
    'runs finalize after every switch, and never before, in all combinations %s',
    (_, graph, roles) => {
      const { states, violations } = explore(withoutCanary(graph), roles);
      expect(violations).toEqual([]);
      expect(states).toBeGreaterThan(1000);
    },
  );

  // Only the bake runs without the group. It takes the lock just for its verdict.
  test.each(variants.filter(([, graph]) => graph !== baked))(
    'runs no two jobs of a stack at once, and no pending approval blocks %s',
    (_, graph) => {
      const { states, violations } = explorePair(withoutCanary(graph), 'unordered');
      expect(violations).toEqual([]);
      expect(states).toBeGreaterThan(100);
    },
  );

  test.each(variants)('contains no mutual wait %s', (_, graph) => {
    expect(findMutualWaits(graph, waits)).toEqual([]);
  });

  test.each(variants)('contains no need of the canary %s', (_, graph) => {
    const needed = graph.flatMap(({ needs }) => needs.map(({ job }) => job));
    expect(needed).not.toContain(name('canary'));
  });
});

describe('the model of the job graph', () => {
  const [, , roles] = variants[0] as (typeof variants)[number];
  const [, , rolesWithGate] = variants[1] as (typeof variants)[number];
  const skipped = 'hosted_runner_finalize is skipped although the shard was switched';
  const tooEarly = 'hosted_runner_finalize runs although the shard was not switched';
  const needs = [{ job: name('shutdown'), optional: false }];

  test.each([
    ['a shutdown that may not fail', 'shutdown', { allowFailure: false }, skipped],
    ['a cleanup that may not fail', 'cleanup', { allowFailure: false }, skipped],
    ['a finalize with `when: always`', 'finalize', { when: 'always' }, tooEarly],
    ['a finalize that needs shutdown alone', 'finalize', { needs }, tooEarly],
  ] as const)('finds %s', (_, stage, change, sought) => {
    const { violations } = explore(withoutCanary(changed(plain, stage, change)), roles, { sought });
    expect(violations.join()).toContain(sought);
  });

  test('finds a bake that may not fail', () => {
    const graph = withoutCanary(changed(baked, 'bake', { allowFailure: false }));
    expect(explore(graph, roles, { sought: skipped }).violations.join()).toContain(skipped);
  });

  test('finds a finalize that always runs: it ended after a failure and does not repeat', () => {
    const owed = 'hosted_runner_finalize is success although the shard was switched';
    const graph = withoutCanary(changed(plain, 'finalize', { when: 'always' }));
    expect(explore(graph, roles, { sought: owed }).violations.join()).toContain(owed);
  });

  test('finds a failure that cancels the rest: a retry restores no cancelled job', () => {
    const lost = 'hosted_runner_finalize is canceled although the shard was switched';
    const graph = withoutCanary(plain);
    const { violations } = explore(graph, roles, { sought: lost, onJobFailure: 'all' });
    expect(violations.join()).toContain(lost);
  });

  test('finds an optional approval', () => {
    const unpressed =
      'hosted_runner_finalize is skipped although hosted_runner_promote may yet be pressed';
    const graph = withoutCanary(changed(approved, 'promote', { allowFailure: true }));
    expect(explore(graph, rolesWithGate, { sought: unpressed }).violations.join()).toContain(
      unpressed,
    );
  });

  test('finds a process mode in which a pending approval blocks the newer pipeline', () => {
    const { violations } = explorePair(withoutCanary(approved), 'oldest_first');
    expect(violations.join()).toContain(
      'hosted_runner_prepare of the newer pipeline waits for a press of the older one',
    );
  });

  test('finds a need of the approval that is not optional', () => {
    const change = { needs: [{ job: name('promote'), optional: false }] };
    expect(findMissingNeeds(changed(plain, 'shutdown', change))).toEqual([
      'hosted_runner_shutdown needs hosted_runner_promote, which is not in the pipeline',
    ]);
  });

  test.each([
    [
      'a canary in the resource group',
      'canary',
      { resourceGroup: 'hosted-runner/linux' },
      'hosted_runner_canary waits for hosted-runner/linux, which hosted_runner_provision holds',
    ],
    [
      'a canary after provision',
      'canary',
      { needs: [{ job: name('provision'), optional: false }] },
      'hosted_runner_canary needs hosted_runner_provision, which waits for it',
    ],
    [
      'a provision after the canary',
      'provision',
      { needs: [{ job: name('canary'), optional: false }] },
      'hosted_runner_provision needs hosted_runner_canary, which needs it to run',
    ],
  ] as const)('finds %s', (_, stage, change, problem) => {
    expect(findMutualWaits(changed(plain, stage, change), waits)).toContain(problem);
  });
});

describe('an action of a user in GitLab', () => {
  const [, graph] = variants[1] as (typeof variants)[number];
  const small = withoutCanary(graph);
  const all = (status: Status) =>
    Object.fromEntries(small.map((job) => [job.name, status])) as Statuses;
  const pressed = (statuses: Statuses, what: string, job = '') =>
    movesOfPeople(small, statuses).find((move) => move.what === what && move.job === job)?.next;

  test('retries a job and restores later skipped jobs, through jobs of any status', () => {
    const before = {
      ...all('skipped'),
      [name('provision')]: 'failed',
      [name('shutdown')]: 'canceled',
    } as const;
    expect(pressed(before, 'retry', name('provision'))).toEqual({
      ...all('created'),
      [name('prepare')]: 'skipped',
      [name('onboard')]: 'skipped',
      [name('shutdown')]: 'canceled',
    });
  });

  test('retries a pipeline and restores jobs that were cancelled before they began', () => {
    const before = { ...all('canceled'), [name('prepare')]: 'success' } as const;
    expect(pressed(before, 'retry_all')).toEqual({
      ...all('created'),
      [name('prepare')]: 'success',
    });
  });

  test('cancels a manual job alone, not with its pipeline', () => {
    const before = { ...all('created'), [name('promote')]: 'manual' } as const;
    expect(pressed(before, 'cancel', name('promote'))?.[name('promote')]).toBe('canceled');
    expect(pressed(before, 'cancel_all')?.[name('promote')]).toBe('manual');
  });

  test('starts a cancelled approval at once', () => {
    const before = { ...all('success'), [name('promote')]: 'canceled' } as const;
    expect(pressed(before, 'retry', name('promote'))?.[name('promote')]).toBe('running');
  });
});

describe('`when: always`', () => {
  const always = (needed: Status, allowFailure: boolean) => {
    const base = { needs: [], when: 'on_success', allowFailure, resourceGroup: undefined } as const;
    const graph: Graph = [
      { ...base, name: 'a' },
      { ...base, name: 'b', allowFailure: false },
      { ...base, name: 'z', when: 'always', needs: [needOf('a'), needOf('b')] },
    ];
    const findMove = (b: Status) =>
      movesByItself(graph, { a: needed, b, z: 'created' }).find(({ job }) => job === 'z')?.what;
    return [findMove('success'), findMove('failed'), findMove('running')];
  };
  const needOf = (job: string) => ({ job, optional: false });

  test.each([
    ['failed', false, ['start', 'start', undefined]],
    ['skipped', false, ['start', 'start', 'start']],
    ['canceled', false, ['skip', 'start', undefined]],
    ['canceled', true, ['start', 'start', undefined]],
  ] as const)(
    'follows %s, allowed to fail: %j, beside success, a failure, and a running job',
    (needed, allowFailure, wanted) => {
      expect(always(needed, allowFailure)).toEqual(wanted);
    },
  );
});
