import type { Invariant } from '../../src/verify/judge.ts';
import type { Case } from './cases-safety.ts';
import {
  type Event,
  effect,
  end,
  failed,
  file,
  head,
  lockName,
  prefix,
  read,
  record,
  recordName,
  recordText,
  run,
  runner,
  status,
  unanswered,
} from './lines.ts';

const one = (...events: readonly (Event | readonly Event[])[]) => file(run('a', ...events));
const purple = { runnerName: 'linux', shard: 'purple' };
const destroying = [record('destroying'), status('pink')];
const overwrite = (name: string, value: string, version: number) =>
  effect('parameters.overwrite', [{ name, value }], { version });
const absent = read('registry.find', ['1'], { kind: 'absent' });
const lock = effect(
  'parameters.create',
  [{ name: lockName, value: '{"entry":"acquire","nonce":"a"}' }],
  { kind: 'created', version: 1 },
);
const released = (from: string) =>
  overwrite(lockName, `{"entry":"release","nonce":"r","from":"${from}"}`, 2);
const token = `${prefix}purple/runner_token`;
const cleanup = (...seen: readonly (Event | readonly Event[])[]) =>
  one(
    head({ command: 'cleanup' }),
    destroying,
    ...seen,
    overwrite(recordName, recordText('done'), 6),
    end(),
  );
const clean = [
  absent,
  read('infrastructure.exists', [purple], 'absent'),
  read('host.list', [purple], []),
  read('parameters.find', [token]),
];

/** Logs for O1 to O10 and L1 to L7, one accepted and one refused each. */
export const endingCases: Readonly<Partial<Record<Invariant, Case>>> = {
  O1: {
    name: 'infrastructure still exists',
    good: cleanup(clean),
    bad: cleanup(clean, read('infrastructure.exists', [purple], 'present')),
  },
  O2: {
    name: 'the old runner still exists',
    good: cleanup(clean),
    bad: cleanup(clean, runner('1')),
  },
  O3: {
    name: 'the removal of the old token was not observed',
    good: cleanup(clean),
    bad: cleanup(clean.slice(0, 3)),
  },
  O4: {
    name: 'the lock is not released',
    good: one(head(), lock, released('a'), end()),
    bad: one(head(), lock, released('b'), end()),
  },
  O5: {
    name: 'a canary keeps running',
    good: cleanup(
      effect('canary.start', [], { id: '5', status: 'waiting' }),
      effect('canary.cancel', [], 1),
      clean,
    ),
    bad: cleanup(clean, effect('canary.start', [], { id: '5', status: 'waiting' })),
  },
  O6: {
    name: 'a host outlives its infrastructure',
    good: cleanup(clean),
    bad: cleanup(clean, read('host.list', [purple], [{ id: 'i-1' }])),
  },
  O9: {
    name: 'cleanup succeeds, but the record is not done',
    good: cleanup(clean),
    bad: one(head({ command: 'cleanup' }), destroying, clean, end()),
  },
  O10: {
    name: 'a manager of the old shard is left',
    good: cleanup(clean),
    bad: cleanup(clean, read('host.list', [purple], [{ id: 'i-1' }])),
  },
  L1: {
    name: 'a stage that is run again ends in an internal error',
    good: file(run('a', head(), failed()), run('b', head(), end())),
    bad: file(run('a', head(), failed()), run('b', head(), failed({ code: 'Bug' }))),
  },
  L2: {
    name: 'a run has an effect and reports that it had nothing to do',
    good: one(head(), record('promoted'), end({ outcome: 'nothing', reason: 'promoted already' })),
    bad: one(
      head(),
      record('promoted'),
      runner('2'),
      effect('registry.route', ['2', { tags: ['linux'] }]),
      end({ outcome: 'nothing' }),
    ),
  },
  L3: {
    name: 'an error without a next command',
    good: one(head(), failed()),
    bad: one(head(), failed({ fix: [] })),
  },
  L4: {
    name: 'half an hour without a log line',
    good: one(head(), { kind: 'said', how: 'wait', text: 'Waiting' }),
    bad: one(head(), { kind: 'said', how: 'wait', text: 'Waiting', ms: 1_800_000 }),
  },
  L5: {
    name: 'a broken connection requires an operator',
    good: one(
      head(),
      unanswered('registry.find', ['1']),
      failed({ why: ['GitLab: connection reset'] }),
    ),
    bad: one(
      head(),
      unanswered('registry.find', ['1']),
      failed({ why: ['GitLab: connection reset'], exit_code: 3 }),
    ),
  },
  L6: {
    name: 'an error that does not name the shard that accepts jobs',
    good: one(head(), failed()),
    bad: one(head(), failed({ now: undefined })),
  },
  L7: {
    name: 'finalize does nothing although a shard must be removed',
    good: one(head({ command: 'finalize' }), record('applied'), end({ outcome: 'nothing' })),
    bad: one(head({ command: 'finalize' }), record('draining'), end({ outcome: 'nothing' })),
  },
};
