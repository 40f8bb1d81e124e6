import { expectAt, type Moment, touched } from './effects.ts';
import { hasReached } from './world-model.ts';

/**
 * Checks the removal of workers that each have their own runner. A worker that is removed during a
 * job loses it. Its process must have ended or its machine be dead, and it must not be able to get
 * another job. No host is removed before the removal of its shard has ended.
 */
export function checkRemoval(moment: Moment): void {
  if (!moment.head.removes) return;
  const { name } = moment.call;
  if (name === 'registry.retireWorkers') {
    judgeLabels(moment);
    judgeProcesses(moment);
  }
  if (name === 'infrastructure.destroy') judgeUnregistered(moment);
}

function judgeProcesses(moment: Moment): void {
  const { known, call, head } = moment;
  if (head.mayKill) return;
  const requested = Array.isArray(call.args[1]) ? call.args[1].map(Number) : [];
  for (const id of requested) {
    const host = known.workers.get(id) ?? '';
    const ended = known.dead.has(host) || known.missing.has(host);
    const what = `no source reported the end of the process of runner ${id} on ${host || 'no host'}`;
    expectAt(moment, 'S2', ended, what);
  }
}

function judgeLabels(moment: Moment): void {
  const { known, call } = moment;
  const shard = touched(moment);
  const { paused, gone } = known.registrations.get(String(call.args[0])) ?? {};
  const { record } = known;
  const isTagged = record?.shards[shard ?? '']?.production_tag === true;
  // A run that finds the shard drained does not check again: the record proves the earlier pause.
  const { phase = '' } = record ?? {};
  const drained = hasReached(phase, 'drained') && phase !== 'done' && paused === undefined;
  const closed = paused === true || gone === true || drained || !isTagged;
  expectAt(moment, 'S2', closed, `the removal of the labels of ${shard} was not observed`);
  expectAt(moment, 'S10', known.active !== shard, `${shard} is active`);
}

function judgeUnregistered(moment: Moment): void {
  const { known } = moment;
  const shard = touched(moment) ?? '';
  const { registration, removal } = known.record?.shards[shard] ?? {};
  if (registration === undefined) return;
  const ended = removal?.ended !== undefined;
  expectAt(moment, 'S2', ended, `the removal of the runners of ${shard} has not ended`);
  const left = (known.removals.get(registration) ?? []).filter(
    ({ outcome, worker }) =>
      outcome === 'unknown' || (outcome === 'busy' && !known.dead.has(worker.host_id ?? '')),
  );
  const ids = left.map(({ worker, outcome }) => `${worker.id} (${outcome})`).join(', ');
  expectAt(moment, 'S2', left.length === 0, `runner ${ids} of ${shard} was not removed`);
}
