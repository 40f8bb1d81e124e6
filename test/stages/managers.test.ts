import { expect, test } from '@jest/globals';
import { gitlabTerms } from '../../src/adapters/gitlab/gitlab-terms.ts';
import type { Worker } from '../../src/ports/registry.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { checkManagers } from '../../src/stages/steps/healthcheck/managers.ts';
import type { Watch } from '../../src/stages/steps/healthcheck/watch.ts';

const at = '2026-11-02T08:00:00.000Z';

function manager(changes: Partial<Worker>): Worker {
  const base = { id: 92, systemId: 's_one', version: '19.2.0', createdAt: at, contactedAt: at };
  return { ...base, execution: 'idle', ...changes };
}

/** Returns the evidence for a shard whose newest manager before the last apply was 91. */
async function evidenceOf(worker: Worker, highestWorkerBeforeApply = 91, more: object = {}) {
  const listWorkers = async () => ({ kind: 'found', value: [worker] });
  const readEnding = async () => ({ kind: 'none' });
  const registry = { traits: { words: gitlabTerms }, listWorkers, readEnding };
  const ports = { registry, clock: { now: () => Date.parse(at) } };
  const context = { ports, settings: { managers: 1, ...more } } as unknown as StageContext;
  const entry = { registration: '48213', highestWorkerBeforeApply };
  const { state, detail } = await checkManagers(context, {
    entry,
    hostChecks: [],
  } as unknown as Watch);
  return [state, detail];
}

test.each<[string, string]>([
  ['15.8.0', ''],
  ['19.2.0', ''],
  ['a custom build', ''],
  ['15.7.3', '; warning: gitlab-runner 15.7.3 is older than 15.8, the oldest that is supported'],
  ['14.7.0', '; warning: gitlab-runner 14.7.0 is older than 15.8, the oldest that is supported'],
])('a manager of version %s has contacted GitLab%s', async (version, warning) => {
  expect(await evidenceOf(manager({ version }))).toEqual([
    'good',
    `manager 92 (gitlab-runner ${version}) has contacted GitLab${warning}`,
  ]);
});

test('the single row of managers without a system id is refused after another apply, with the reason', async () => {
  const legacy = manager({ id: 91, systemId: '<legacy>', version: '14.7.0' });
  expect(await evidenceOf(legacy)).toEqual([
    'missing',
    'managers of runner 48213 send no system id. gitlab-runner sends one from 15.8 on, the oldest supported version. Without it, all managers share one row, "<legacy>", and a new manager cannot be detected; upgrade gitlab-runner in the image',
  ]);
});

test('the single row of managers without a system id is accepted if no apply came before it', async () => {
  const legacy = manager({ id: 91, systemId: '<legacy>', version: '14.7.0' });
  expect(await evidenceOf(legacy, 0)).toEqual([
    'good',
    'manager 91 (gitlab-runner 14.7.0) has contacted GitLab; warning: gitlab-runner 14.7.0 is older than 15.8, the oldest that is supported',
  ]);
});

/**
 * Returns the evidence for a host that reports the system id of a manager from before the last
 * apply.
 */
async function vouchedBy(process: string) {
  const listWorkers = async () => ({ kind: 'found', value: [manager({ id: 91 })] });
  const readEnding = async () => ({ kind: 'none' });
  const registry = { traits: { words: gitlabTerms }, listWorkers, readEnding };
  const ports = { registry, clock: { now: () => Date.parse(at) } };
  const context = { ports, settings: { managers: 1 } } as unknown as StageContext;
  const entry = { registration: '48213', highestWorkerBeforeApply: 91 };
  const checks = [{ id: 'i-1', report: { kind: 'report', process, systemId: 's_one' } }];
  const watch = { entry, hostChecks: checks, requestsAtFailure: new Map() } as unknown as Watch;
  return (await checkManagers(context, watch)).state;
}

test('a host verifies a manager from before the apply if its process runs there', async () => {
  expect(await vouchedBy('running')).toBe('good');
});

test.each(['stopped', 'quitting', 'absent', 'starting', 'unknown'])(
  'a host whose process is %s verifies no manager',
  async (process) => {
    expect(await vouchedBy(process)).toBe('missing');
  },
);

test.each<[boolean, boolean | undefined, string]>([
  [false, false, ''],
  [true, true, ''],
  // An old Enterprise Server omits the field.
  [true, undefined, ''],
  [false, true, '; warning: pink-linux-i-1 is ephemeral, but github.ephemeral is false'],
  [true, false, '; warning: pink-linux-i-1 is not ephemeral, but github.ephemeral is true'],
])(
  'a check compares github.ephemeral %s with the report %s of GitHub%s',
  async (wanted, ephemeral, warning) => {
    const one = manager({
      systemId: 'pink-linux-i-1',
      ...(ephemeral === undefined ? {} : { ephemeral }),
    });
    const [state, detail] = await evidenceOf(one, 91, { github: { ephemeral: wanted } });
    expect([state, detail]).toEqual([
      'good',
      `manager 92 (gitlab-runner 19.2.0) has contacted GitLab${warning}`,
    ]);
  },
);
