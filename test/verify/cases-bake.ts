import type { Case } from './cases-safety.ts';
import {
  type Event,
  effect,
  file,
  head,
  jobs,
  record,
  recordName,
  recordText,
  run,
  runner,
  status,
  statusName,
  statusText,
} from './lines.ts';

const one = (...events: readonly (Event | readonly Event[])[]) => file(run('a', ...events));
const command = head({ command: 'bake' });
const since = '2026-11-02T10:25:00.000Z';
const ended = { verdict: 'healthy', at: '2026-11-02T10:55:00.000Z', why: 'good' };
const on = { bake: { since, for_ms: 1_800_000, until: since } };
const over = { bake: { ...on.bake, ended } };
const back = {
  id: '1-200-rollback',
  kind: 'rollback',
  candidate: 'purple',
  retiring: 'pink',
  takes_back: { id: '1-200', at: since, why: '2 faults in 9 jobs' },
};

const write = (text: string, version = 6) =>
  effect('parameters.overwrite', [{ name: recordName, value: text }], { version });
const drained = (bake: Event) => [record('drained', bake), status('pink')];

/** Returns the record of a rollback by a verdict, with purple verified or not. */
function promoting(isProven: boolean): Event {
  const found = record('promoting', back);
  const stored = JSON.parse(String((found['answer'] as { value: string }).value));
  stored.shards.purple = {
    registration: '1',
    production_tag: true,
    ...(isProven ? { evidence: { at: '2026-11-02T10:20:00.000Z' } } : {}),
  };
  return { ...found, answer: { value: JSON.stringify(stored), version: 5 } };
}

/** Returns a written record with the deployments before it. */
function withHistory(text: string, ...history: readonly string[]): string {
  return JSON.stringify({ ...JSON.parse(text), history });
}

const before = (text: string): Event => ({
  ...record('drained'),
  answer: { value: text, version: 5 },
});
const switched = effect(
  'parameters.overwrite',
  [{ name: statusName, value: statusText('purple') }],
  { version: 2 },
);

/** Logs of a bake, one accepted and one refused. */
export const bakeCases: readonly (Case & { readonly invariant: 'S7' | 'S19' })[] = [
  {
    invariant: 'S7',
    name: 'the record is destroying while the bake runs',
    good: one(
      command,
      drained(over),
      jobs('1'),
      runner('1', { paused: true }),
      write(recordText('destroying', over)),
    ),
    bad: one(
      command,
      drained(on),
      jobs('1'),
      runner('1', { paused: true }),
      write(recordText('destroying', over)),
    ),
  },
  {
    invariant: 'S7',
    name: 'the retiring shard is removed while the bake runs',
    good: one(
      command,
      record('destroying', over),
      status('pink'),
      jobs('1'),
      effect('registry.retire', ['1'], 'retired'),
    ),
    bad: one(command, drained(on), jobs('1'), effect('registry.retire', ['1'], 'retired')),
  },
  {
    invariant: 'S19',
    name: 'an unfinished bake is recorded as ended',
    good: one(command, drained(on), write(recordText('baked', over))),
    bad: one(command, drained(on), write(recordText('baked', on))),
  },
  {
    invariant: 'S19',
    name: 'a bake is recorded as ended while the old shard drains',
    good: one(command, drained(on), write(recordText('baked', over))),
    bad: one(command, record('draining', on), status('pink'), write(recordText('baked', over))),
  },
  {
    invariant: 'S19',
    name: 'a deployment whose bake has ended is rolled back automatically',
    good: one(command, drained(on), write(recordText('promoting', back))),
    bad: one(command, record('baked', over), status('pink'), write(recordText('promoting', back))),
  },
  {
    invariant: 'S19',
    name: 'a deployment is rolled back automatically a second time',
    good: one(
      command,
      before(withHistory(recordText('drained', on), '1-100 deploy pink taken_back')),
      status('pink'),
      write(recordText('promoting', back)),
    ),
    bad: one(
      command,
      before(withHistory(recordText('drained', on), '1-200 deploy pink taken_back')),
      status('pink'),
      write(recordText('promoting', back)),
    ),
  },
  {
    invariant: 'S19',
    name: 'the status names a shard that the rollback has not verified',
    good: one(command, promoting(true), status('pink'), runner('1'), switched),
    bad: one(command, promoting(false), status('pink'), runner('1'), switched),
  },
];
