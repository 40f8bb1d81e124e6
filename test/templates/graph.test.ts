import { describe, expect, test } from '@jest/globals';
import { expand, renderTemplate } from './configuration.ts';
import {
  findMissingNeeds,
  findMutualWaits,
  type Graph,
  type GraphJob,
  readGraph,
} from './graph.ts';
import { explore, type Roles } from './graph-exploration.ts';

const name = (stage: string) => `hosted_runner_${stage}`;

function deployment(inputs: Record<string, unknown> = {}) {
  const given = { runner_name: 'linux', runner_tags: ['operations'], ...inputs };
  return expand(renderTemplate('deploy', { inputs: given }));
}

const plain = readGraph(deployment());
const approved = readGraph(deployment({ approval: true }));
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
];

/** provision looks at the canary until it has ended, and the canary runs on what provision builds. */
const waits = [{ job: name('provision'), on: name('canary') }];

/** Nobody needs the canary (below), so that it only multiplies the states. */
const withoutCanary = (graph: Graph) => graph.filter((job) => job.name !== name('canary'));

function changed(graph: Graph, stage: string, change: Partial<GraphJob>): Graph {
  expect(graph.map((job) => job.name)).toContain(name(stage));
  return graph.map((job) => (job.name === name(stage) ? { ...job, ...change } : job));
}

describe('the job graph', () => {
  test.each([
    ['without an approval', plain],
    ['with an approval', approved],
  ])('%s is the one of the design', (_, graph) => {
    const table = graph.map(({ name: job, needs, ...rest }) => [
      job,
      needs.map((need) => `${need.job}${need.optional ? ' (optional)' : ''}`).join(', ') || '–',
      rest.when,
      rest.allowFailure ? 'may fail' : 'must succeed',
      rest.resourceGroup ?? '–',
    ]);
    expect(table.map((row) => row.join(' | ')).join('\n')).toMatchSnapshot();
  });

  test.each(variants)('%s needs nothing that is not there', (_, graph) => {
    expect(findMissingNeeds(graph)).toEqual([]);
  });

  test.each(variants)(
    '%s: for every combination of results, cancels and retries, finalize runs after every switch, and never before',
    (_, graph, roles) => {
      const { states, violations } = explore(withoutCanary(graph), roles);
      expect(violations).toEqual([]);
      expect(states).toBeGreaterThan(1000);
    },
  );

  test.each(variants)('%s: no job waits for one that waits for it', (_, graph) => {
    expect(findMutualWaits(graph, waits)).toEqual([]);
  });

  test.each(variants)('%s: nobody needs the canary', (_, graph) => {
    const needed = graph.flatMap(({ needs }) => needs.map(({ job }) => job));
    expect(needed).not.toContain(name('canary'));
  });
});

describe('the model notices', () => {
  const [, , roles] = variants[0] as (typeof variants)[number];
  const [, , rolesWithGate] = variants[1] as (typeof variants)[number];
  const skipped = 'hosted_runner_finalize is skipped although the shard was switched';
  const tooEarly = 'hosted_runner_finalize runs although the shard was not switched';
  const needs = [{ job: name('shutdown'), optional: false }];

  test.each([
    ['a shutdown that may not fail', 'shutdown', { allowFailure: false }, skipped],
    ['a cleanup that may not fail', 'cleanup', { allowFailure: false }, skipped],
    ['a finalize that runs always, with what failed', 'finalize', { when: 'always' }, tooEarly],
    ['a finalize that needs shutdown alone', 'finalize', { needs }, tooEarly],
  ] as const)('%s', (_, stage, change, sought) => {
    const { violations } = explore(withoutCanary(changed(plain, stage, change)), roles, sought);
    expect(violations.join()).toContain(sought);
  });

  test('a finalize that runs always: it ended after a failure and does not come back', () => {
    const owed = 'hosted_runner_finalize is success although the shard was switched';
    const graph = withoutCanary(changed(plain, 'finalize', { when: 'always' }));
    expect(explore(graph, roles, owed).violations.join()).toContain(owed);
  });

  test('an approval that is optional', () => {
    const unpressed =
      'hosted_runner_finalize is skipped although hosted_runner_promote may yet be pressed';
    const graph = withoutCanary(changed(approved, 'promote', { allowFailure: true }));
    expect(explore(graph, rolesWithGate, unpressed).violations.join()).toContain(unpressed);
  });

  test('a need of the approval that is not optional', () => {
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
  ] as const)('%s', (_, stage, change, problem) => {
    expect(findMutualWaits(changed(plain, stage, change), waits)).toContain(problem);
  });
});
