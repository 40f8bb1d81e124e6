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

/** Of a shard whose newest manager before the last apply was 91. */
async function evidenceOf(worker: Worker, highestWorkerBeforeApply = 91, more: object = {}) {
  const listWorkers = async () => ({ kind: 'found', value: [worker] });
  const readEnding = async () => ({ kind: 'none' });
  const registry = { traits: { words: gitlabTerms }, listWorkers, readEnding };
  const ports = { registry, clock: { now: () => Date.parse(at) } };
  const context = { ports, settings: { managers: 1, ...more } } as unknown as StageContext;
  const entry = { registration: '48213', highestWorkerBeforeApply };
  const { state, detail } = await checkManagers(context, { entry, looks: [] } as unknown as Watch);
  return [state, detail];
}

test.each<[string, string]>([
  ['15.8.0', ''],
  ['19.2.0', ''],
  ['a build of its own', ''],
  ['15.7.3', '; warning: gitlab-runner 15.7.3 is older than 15.8, the oldest that is supported'],
  ['14.7.0', '; warning: gitlab-runner 14.7.0 is older than 15.8, the oldest that is supported'],
])('a manager of version %s has contacted GitLab%s', async (version, warning) => {
  expect(await evidenceOf(manager({ version }))).toEqual([
    'good',
    `manager 92 (gitlab-runner ${version}) has contacted GitLab${warning}`,
  ]);
});

test('the one row of managers without a system id is refused after another apply, and said why', async () => {
  const legacy = manager({ id: 91, systemId: '<legacy>', version: '14.7.0' });
  expect(await evidenceOf(legacy)).toEqual([
    'missing',
    'managers of runner 48213 send no system id, as gitlab-runner before 15.8 does, the oldest that is supported: all of them are one row, "<legacy>", whose id never rises, so that none can be told to be new; upgrade gitlab-runner in the image',
  ]);
});

test('that row is believed where no apply came before it', async () => {
  const legacy = manager({ id: 91, systemId: '<legacy>', version: '14.7.0' });
  expect(await evidenceOf(legacy, 0)).toEqual([
    'good',
    'manager 91 (gitlab-runner 14.7.0) has contacted GitLab; warning: gitlab-runner 14.7.0 is older than 15.8, the oldest that is supported',
  ]);
});

/** Of a host that names the system id of a manager from before the last apply. */
async function vouchedBy(process: string) {
  const listWorkers = async () => ({ kind: 'found', value: [manager({ id: 91 })] });
  const readEnding = async () => ({ kind: 'none' });
  const registry = { traits: { words: gitlabTerms }, listWorkers, readEnding };
  const ports = { registry, clock: { now: () => Date.parse(at) } };
  const context = { ports, settings: { managers: 1 } } as unknown as StageContext;
  const entry = { registration: '48213', highestWorkerBeforeApply: 91 };
  const looks = [{ id: 'i-1', report: { kind: 'report', process, systemId: 's_one' } }];
  const watch = { entry, looks, requestsAtFailure: new Map() } as unknown as Watch;
  return (await checkManagers(context, watch)).state;
}

test('a host vouches for the manager from before the apply whose process runs on it', async () => {
  expect(await vouchedBy('running')).toBe('good');
});

test.each(['stopped', 'quitting', 'absent', 'starting', 'unknown'])(
  'a host whose process is %s vouches for nobody',
  async (process) => {
    expect(await vouchedBy(process)).toBe('missing');
  },
);

test.each<[boolean, boolean | undefined, string]>([
  [false, false, ''],
  [true, true, ''],
  // An Enterprise Server of old does not say.
  [true, undefined, ''],
  [false, true, '; warning: pink-linux-i-1 is ephemeral, and github.ephemeral is false'],
  [true, false, '; warning: pink-linux-i-1 is not ephemeral, and github.ephemeral is true'],
])('github.ephemeral is %s, and GitHub says %s%s', async (wanted, ephemeral, warning) => {
  const one = manager({
    systemId: 'pink-linux-i-1',
    ...(ephemeral === undefined ? {} : { ephemeral }),
  });
  const [state, detail] = await evidenceOf(one, 91, { github: { ephemeral: wanted } });
  expect([state, detail]).toEqual([
    'good',
    `manager 92 (gitlab-runner 19.2.0) has contacted GitLab${warning}`,
  ]);
});
