import { type Moment, touched, where } from './effects.ts';

/**
 * Where a removal is what proves that a worker is idle: no process is stopped and no host goes before
 * each worker of the shard was removed, or its own host was seen dead; and nobody is removed who may
 * still be given a job.
 */
export function judgeRemoval(moment: Moment): void {
  if (!moment.head.removes) return;
  const { name } = moment.call;
  if (name === 'registry.retireWorkers') judgeLabels(moment);
  if (name === 'host.quit' || name === 'infrastructure.destroy') judgeUnregistered(moment);
}

function judgeLabels(moment: Moment): void {
  const { known, call, judge } = moment;
  const shard = touched(moment);
  const { paused, gone } = known.registrations.get(String(call.args[0])) ?? {};
  const { record } = known;
  const served = record?.shards[shard ?? '']?.production_tag === true;
  // A run that finds it drained does not look again: the record says that it was closed before.
  const drained = ['drained', 'destroying'].includes(record?.phase ?? '') && paused === undefined;
  const closed = paused === true || gone === true || drained || !served;
  judge.expect('S2', closed, `${where(moment)}: the labels of ${shard} were not seen taken off`);
  judge.expect('S10', known.active !== shard, `${where(moment)}: ${shard} is active`);
}

function judgeUnregistered(moment: Moment): void {
  const { known, judge } = moment;
  const shard = touched(moment) ?? '';
  const { registration, removal } = known.record?.shards[shard] ?? {};
  if (registration === undefined) return;
  const what = where(moment);
  const ended = removal?.ended !== undefined;
  judge.expect('S2', ended, `${what}: the removal of the runners of ${shard} has not ended`);
  const left = (known.removals.get(registration) ?? []).filter(
    ({ outcome, worker }) =>
      !['removed', 'absent'].includes(outcome) && !known.dead.has(worker.hostId ?? ''),
  );
  const ids = left.map(({ worker, outcome }) => `${worker.id} (${outcome})`).join(', ');
  judge.expect('S2', left.length === 0, `${what}: runner ${ids} of ${shard} was not removed`);
}
