import type { Invariant } from '../../src/verify/judge.ts';
import {
  type Event,
  effect,
  file,
  head,
  jobs,
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

export interface Case {
  readonly name: string;
  readonly good: string;
  readonly bad: string;
}

const one = (...events: readonly (Event | readonly Event[])[]) => file(run('a', ...events));
const pink = { runnerName: 'linux', shard: 'pink' };
const purple = { runnerName: 'linux', shard: 'purple' };
const overwrite = (name: string, value: string, version: number) =>
  effect('parameters.overwrite', [{ name, value }], { version });
const switched = overwrite(statusName, statusText('pink'), 2);
const promoting = [record('promoting'), status('purple'), runner('2')];
const draining = [record('draining'), status('pink')];
const destroying = [record('destroying'), status('pink')];
const pause = effect('registry.setIntake', ['1', 'closed']);
const retire = effect('registry.retire', ['1'], 'retired');
const absent = read('registry.find', ['1'], { kind: 'absent' });
const counts = { kind: 'done', counts: { destroyed: 4 }, outputs: {} };
const shutdown = head({ command: 'shutdown' });
/** Logs for S1 to S16, one accepted and one refused each, if a log alone can decide them. */
export const safetyCases: Readonly<Partial<Record<Invariant, Case>>> = {
  S1: {
    name: 'the candidate is not checked before the other shard is paused',
    good: one(shutdown, draining, runner('2'), pause),
    bad: one(shutdown, draining, runner('2', { paused: true }), pause),
  },
  S2: {
    name: 'a runner is removed while GitLab lists a job',
    good: one(head(), destroying, jobs('1'), retire),
    bad: one(head(), destroying, jobs('1', { id: '9' }), retire),
  },
  S4: {
    name: 'the evidence is older than the last apply',
    good: one(head(), promoting, switched),
    bad: one(
      head(),
      record('promoting', {}, { evidence: { at: '2026-11-02T10:05:00.000Z' } }),
      status('purple'),
      runner('2'),
      switched,
    ),
  },
  S5: {
    name: 'a deployment id changes its candidate later',
    good: one(head(), record('applied'), record('healthy')),
    bad: one(
      head(),
      record('applied'),
      record('applied', { candidate: 'purple', retiring: 'pink' }),
    ),
  },
  S6: {
    name: 'an apply on a candidate that has had production tags',
    good: one(
      head(),
      record('applying'),
      status('purple'),
      effect('infrastructure.apply', [pink, {}], counts),
    ),
    bad: one(
      head(),
      record('applying', {}, { production_tag: true }),
      status('purple'),
      effect('infrastructure.apply', [pink, {}], counts),
    ),
  },
  S7: {
    name: 'the retiring shard is destroyed while the record is promoted',
    good: one(head(), destroying, absent, effect('infrastructure.destroy', [purple], counts)),
    bad: one(
      head(),
      record('promoted'),
      status('pink'),
      absent,
      effect('infrastructure.destroy', [purple], counts),
    ),
  },
  S8: {
    name: 'an effect while the status names the candidate too early',
    good: one(
      head(),
      record('applied'),
      status('purple'),
      runner('2'),
      effect('registry.route', ['2', { tags: ['c'] }]),
    ),
    bad: one(
      head(),
      record('applied'),
      status('pink'),
      runner('2'),
      effect('registry.route', ['2', { tags: ['c'] }]),
    ),
  },
  S9: {
    name: 'an older pipeline acts on the deployment of a newer one',
    good: one(shutdown, draining, runner('2'), pause),
    bad: one(
      head({ deployment: '1-100', pipeline_created_at: '2026-11-01T10:00:00.000Z' }),
      draining,
      runner('2'),
      pause,
    ),
  },
  S10: {
    name: 'the active shard is paused',
    good: one(shutdown, draining, runner('2'), pause),
    bad: one(shutdown, draining, runner('2'), effect('registry.setIntake', ['2', 'closed'])),
  },
  S11: {
    name: 'a runner is removed although its jobs could not be listed',
    good: one(head(), destroying, jobs('1'), retire),
    bad: one(head(), destroying, jobs('1'), unanswered('registry.listJobs', ['1']), retire),
  },
  S12: {
    name: 'a token in a line',
    good: one(head(), { kind: 'said', how: 'act', text: 'Stored [MASKED].' }),
    bad: one(head(), { kind: 'said', how: 'act', text: 'Stored glrt-abcdefghijklmnop1234.' }),
  },
  S13: {
    name: 'a status that an operator has changed is overwritten',
    good: one(head(), promoting, switched),
    bad: one(
      head(),
      record('promoting', { retiring: 'green' }),
      status('purple'),
      runner('2'),
      switched,
    ),
  },
  S14: {
    name: 'the runner that runs the job is paused',
    good: one(head({ own_registration: '2' }), draining, runner('2'), pause),
    bad: one(head({ own_registration: '1' }), draining, runner('2'), pause),
  },
  S15: {
    name: 'a parameter of another stack whose name begins in the same way',
    good: one(head(), overwrite(recordName, recordText('applied'), 2)),
    bad: one(
      head(),
      overwrite('/gitlab/dedicated/runner/linux-large/deployment_record', recordText('applied'), 2),
    ),
  },
  S16: {
    name: 'the status is switched on evidence from before the apply, after a jump of the clock',
    good: jumped(one(head(), promoting, switched)),
    bad: jumped(
      one(
        head(),
        record('promoting', {}, { evidence: { at: '2026-11-02T10:05:00.000Z' } }),
        status('purple'),
        runner('2'),
        switched,
      ),
    ),
  },
};

/** Adds an hour to the machine's clock during the run. */
function jumped(text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines
    .map((line, index) => (index < 2 ? line : line.replace('T10:30:', 'T11:30:')))
    .join('\n');
}
