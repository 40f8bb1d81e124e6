import type { Invariant } from '../../src/verify/judge.ts';
import type { Case } from './cases-safety.ts';
import {
  type Event,
  effect,
  file,
  head,
  jobs,
  read,
  record,
  run,
  runner,
  status,
} from './lines.ts';

/** Head of a log in which purple retires. Its fleet has two runners on two hosts. */
const github = head({ command: 'finalize', stack: { ...stackOfHead(), runners: 'github' } });
const purple = { runnerName: 'linux', shard: 'purple' };
const hosts = read('host.list', [purple], [{ id: 'i-1' }, { id: 'i-2' }]);
const closed = [runner('1', { paused: true }), jobs('1')];
const removal = { began: '2026-11-02T10:25:00.000Z', ended: '2026-11-02T10:26:00.000Z' };
const ended = recordOf('destroying', { removal });
const begun = recordOf('destroying', { removal: { began: removal.began } });
const draining = recordOf('draining', { removal: { began: removal.began } });
const remove = (...outcomes: readonly string[]) =>
  effect(
    'registry.retireWorkers',
    ['1', outcomes.map((_, index) => 701 + index)],
    outcomes.map((outcome, index) => ({
      worker: { id: 701 + index, hostId: `i-${index + 1}` },
      outcome,
    })),
  );
const exited = { kind: 'report', process: 'stopped', restarts: false };
const checks = ['i-1', 'i-2'].map((host) => read('host.look', [host], exited));
const workers = read('registry.listWorkers', ['1'], {
  kind: 'found',
  value: [
    { id: 701, hostId: 'i-1' },
    { id: 702, hostId: 'i-2' },
  ],
});
const retire = effect('registry.retire', ['1'], 'retired');
const counts = { kind: 'done', counts: { destroyed: 4 }, outputs: {} };
const destroy = effect('infrastructure.destroy', [purple, {}], counts);
const dead = read('instances.find', ['i-2'], { id: 'i-2', state: 'terminated' });
const stopped = read('instances.find', ['i-2'], { id: 'i-2', state: 'stopped' });
const one = (...events: readonly (Event | readonly Event[])[]) => file(run('a', ...events));
const unseen = (entry: Event) => [github, entry, status('pink'), hosts, ...closed, workers];
const begin = (entry: Event) => [...unseen(entry), ...checks];

/** Violations that only runners with separate registrations can have. */
export const githubCases: readonly (Case & { readonly invariant: Invariant })[] = [
  {
    invariant: 'S2',
    name: 'a runner is removed without proof that its process ended',
    good: one(begin(begun), remove('removed', 'removed')),
    bad: one(unseen(begun), checks[0] as Event, remove('removed', 'removed')),
  },
  {
    invariant: 'S2',
    name: 'a runner is removed although its machine is merely stopped',
    good: one(unseen(begun), checks[0] as Event, dead, remove('removed', 'removed')),
    bad: one(unseen(begun), checks[0] as Event, stopped, remove('removed', 'removed')),
  },
  {
    invariant: 'S2',
    name: 'an unknown result of a removal counts as gone',
    good: one(begin(ended), remove('removed', 'absent'), retire, destroy),
    bad: one(begin(ended), remove('removed', 'unknown'), retire, destroy),
  },
  {
    invariant: 'S2',
    name: 'hosts are destroyed before the removal has ended',
    good: one(begin(ended), retire, destroy),
    bad: one(begin(begun), retire, destroy),
  },
  {
    invariant: 'S2',
    name: 'runners are removed before their labels',
    good: one(begin(draining), remove('removed', 'removed')),
    bad: one(
      github,
      draining,
      status('pink'),
      runner('1'),
      jobs('1'),
      workers,
      checks,
      remove('removed', 'removed'),
    ),
  },
  {
    invariant: 'S10',
    name: 'the runners of the active shard are removed',
    good: one(begin(begun), remove('removed', 'removed')),
    bad: one(
      github,
      begun,
      status('purple'),
      hosts,
      closed,
      workers,
      checks,
      remove('removed', 'removed'),
    ),
  },
  {
    invariant: 'S7',
    name: 'hosts are destroyed while the record is drained',
    good: one(begin(ended), retire, destroy),
    bad: one(begin(recordOf('drained', { removal })), retire, destroy),
  },
  {
    invariant: 'O2',
    name: 'the deployment is done, but the stored data of the old fleet was not removed',
    good: one(begin(ended), retire, destroy, done()),
    bad: one(begin(ended), destroy, done()),
  },
];

function stackOfHead(): Event {
  return head()['stack'] as Event;
}

/** Returns `record` with more fields about purple. */
function recordOf(phase: string, changes: Event): Event {
  const event = record(phase);
  const answer = event['answer'] as { value: string };
  const value = JSON.parse(answer.value) as { shards: { purple: Event } };
  Object.assign(value.shards.purple, changes);
  return { ...event, answer: { ...answer, value: JSON.stringify(value) } };
}

function done(): Event[] {
  const { answer, args } = recordOf('done', { removal }) as {
    answer: { value: string };
    args: readonly [string];
  };
  const write = { name: args[0], value: answer.value };
  return effect('parameters.overwrite', [write], { version: 6 });
}
