import { describe, expect, test } from '@jest/globals';
import type { WorldEntry } from '../../src/verify/history.ts';
import type { Invariant } from '../../src/verify/judge.ts';
import { verifyEventFile } from '../../src/verify/verify.ts';
import {
  type Event,
  effect,
  end,
  file,
  head,
  jobs,
  lockName,
  read,
  record,
  recordName,
  recordText,
  run,
  runner,
  status,
  statusName,
  statusText,
  unanswered,
} from './lines.ts';

const purple = { runnerName: 'linux', shard: 'purple' };
const write = (name: string, value: string, version: number) =>
  effect('parameters.overwrite', [{ name, value }], { version });
const switched = write(statusName, statusText('pink'), 2);
const own = '{"entry":"acquire","nonce":"a"}';
const lock = effect('parameters.create', [{ name: lockName, value: own }], {
  kind: 'created',
  version: 1,
});
const takenFrom = (from: string) => `{"entry":"takeover","nonce":"b","from":"${from}"}`;
const lockNow = (...values: readonly string[]) =>
  read(
    'parameters.listVersions',
    [lockName],
    values.map((value, index) => ({ value, version: index + 1 })),
  );
const destroying = [record('destroying'), status('pink')];
const retire = effect('registry.retire', ['1'], 'retired');
const allEnded = read('instances.list', [purple], [{ id: 'i-1', state: 'terminated' }]);
const dead = [read('host.list', [purple], []), allEnded];
const restored = [
  read('parameters.find', [statusName]),
  effect('parameters.create', [{ name: statusName, value: statusText('pink') }], {
    kind: 'created',
    version: 1,
  }),
];
const healthy = (...kinds: string[]): Event => ({
  kind: 'evidence',
  shard: 'pink',
  verdict: 'healthy',
  evidence: kinds.map((kind) => ({ kind, state: 'good' })),
});
const observing = head({
  stack: {
    ...(head()['stack'] as object),
    evidence: { canary: 'required', observe: 'required' },
  },
});
/** The clock was set back by an hour before the evidence was collected. */
const early = { evidence: { at: '2026-11-02T09:20:00.000Z' } };

const cleanup = (...seen: readonly (Event | readonly Event[])[]) => [
  head({ command: 'cleanup' }),
  destroying,
  seen,
  write(recordName, recordText('done'), 6),
];
const listed = (...found: Event[]) => read('registry.findByShard', [purple], [...found]);

type Log = readonly (Event | readonly Event[])[];

const logs: readonly (readonly [what: string, Invariant, right: Log, wrong: Log])[] = [
  [
    'evidence that a set-back clock dates before the apply although it was written after it',
    'S4',
    [
      head(),
      write(recordName, recordText('applied', {}, { evidence: undefined }), 4),
      write(recordName, recordText('promoting', {}, early), 5),
      status('purple'),
      runner('2'),
      switched,
    ],
    [
      head(),
      write(recordName, recordText('applied', {}, { ...early, last_apply: undefined }), 4),
      write(recordName, recordText('promoting', {}, early), 5),
      status('purple'),
      runner('2'),
      switched,
    ],
  ],
  [
    'a lock that another run has taken over',
    'O4',
    [head(), lock, lockNow(own, takenFrom('a')), end()],
    [head(), lock, lockNow(own, takenFrom('c')), end()],
  ],
  [
    'a lock that another run has begun again after its name was deleted',
    'O4',
    [head(), lock, lockNow('{"entry":"acquire","nonce":"n"}'), end()],
    [head(), lock, lockNow(own, '{"entry":"acquire","nonce":"n"}'), end()],
  ],
  [
    'an effect of the lock owner after other runs wanted the lock',
    'S9',
    [
      head(),
      lock,
      lockNow(own, takenFrom('c')),
      record('applied'),
      write(recordName, recordText('healthy'), 3),
    ],
    [
      head(),
      lock,
      lockNow(own, takenFrom('a')),
      record('applied'),
      write(recordName, recordText('healthy'), 3),
    ],
  ],
  [
    'evidence from customer jobs, which comes alone',
    'S11',
    [observing, healthy('canary'), healthy('observe')],
    [observing, healthy('canary', 'observe'), healthy('manager')],
  ],
  [
    'a shard that accepts jobs and is checked without a canary',
    'S11',
    [head({ command: 'healthcheck' }), record('draining'), healthy('instance', 'manager')],
    [head({ command: 'healthcheck' }), record('applied'), healthy('instance', 'manager')],
  ],
  [
    'a deleted status that is restored from the record',
    'S4',
    [
      head(),
      record('promoting'),
      status('purple'),
      runner('2'),
      switched,
      record('done'),
      ...restored,
    ],
    [head(), record('applied'), ...restored],
  ],
  [
    'a runner that GitLab no longer had at the last query',
    'O2',
    cleanup(runner('1'), listed()).flat(2),
    cleanup(listed(), runner('1')).flat(2),
  ],
  [
    'a runner with unknown jobs whose machines have all ended',
    'S11',
    [head(), destroying, ...dead, unanswered('registry.listJobs', ['1']), retire],
    [head(), destroying, jobs('1'), unanswered('registry.listJobs', ['1']), retire],
  ],
  [
    'a shard whose machines EC2 reports as ended and whose hosts cannot be listed',
    'S2',
    [head(), destroying, unanswered('host.list', [purple]), allEnded, retire],
    [head(), destroying, read('host.list', [purple], [{ id: 'i-9' }]), allEnded, retire],
  ],
];

function outcomeOf(invariant: Invariant, log: Log): string | undefined {
  const { findings } = verifyEventFile(file(run('a', ...log)));
  return findings.find((one) => one.invariant === invariant)?.outcome;
}

describe.each(logs)('%s', (_, invariant, right, wrong) => {
  test('passes the verification', () => {
    expect(outcomeOf(invariant, right)).toBe('held');
  });

  test('differs from the similar violation, which fails', () => {
    expect(outcomeOf(invariant, wrong)).toBe('violated');
  });
});

describe('the history of the world', () => {
  const destroyed = {
    at: 1,
    byUs: true,
    kind: 'destroyed',
    of: 'pink-linux',
    active: 'pink-linux',
  };
  const world = (entry: WorldEntry, stoodStill = false) => ({
    ...{ entries: [entry], accepting: [], tokens: [], ownShards: ['pink-linux'], mayKill: false },
    stoodStill,
  });
  const gapFile = file(
    run('a', head(), { kind: 'said', how: 'act', text: 'one' }).concat(
      JSON.stringify({ at: '2026-11-02T12:30:00Z', ms: 7_200_000, run: 'a', n: 3, kind: 'said' }),
    ),
  );
  const found = (invariant: Invariant, history: Parameters<typeof verifyEventFile>[1]) =>
    verifyEventFile(gapFile, history).findings.find((one) => one.invariant === invariant)?.outcome;

  test('excuses an edit that was not visible before the effect', () => {
    expect(found('S7', world({ ...destroyed, wasVisible: 'purple-linux' }))).toBe('held');
    expect(found('S7', world({ ...destroyed, wasVisible: 'pink-linux' }))).toBe('violated');
    expect(found('S7', world(destroyed))).toBe('violated');
  });

  test('excuses a time without responses of a machine that was suspended', () => {
    expect(found('L4', world(destroyed, true))).toBe('not decidable');
    expect(found('L4', world(destroyed))).toBe('violated');
  });
});
