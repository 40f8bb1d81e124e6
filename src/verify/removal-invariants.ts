import { expectAt, type Moment, touched } from './effects.ts';
import { hasReached } from './world-model.ts';

/**
 * Where each worker is registered by itself, its registration goes after its process: who is removed
 * under a job loses it. So nobody is removed whose process was not seen ended, or whose machine dead,
 * nor who may still be given a job; and no host goes before the removal of its shard has ended.
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
  const asked = Array.isArray(call.args[1]) ? call.args[1].map(Number) : [];
  for (const id of asked) {
    const host = known.workers.get(id) ?? '';
    const ended = known.dead.has(host) || known.missing.has(host);
    const what = `nobody saw the process of runner ${id} on ${host || 'no host'} ended`;
    expectAt(moment, 'S2', ended, what);
  }
}

function judgeLabels(moment: Moment): void {
  const { known, call } = moment;
  const shard = touched(moment);
  const { paused, gone } = known.registrations.get(String(call.args[0])) ?? {};
  const { record } = known;
  const served = record?.shards[shard ?? '']?.production_tag === true;
  // A run that finds it drained does not look again: the record says that it was closed before.
  const { phase = '' } = record ?? {};
  const drained = hasReached(phase, 'drained') && phase !== 'done' && paused === undefined;
  const closed = paused === true || gone === true || drained || !served;
  expectAt(moment, 'S2', closed, `the labels of ${shard} were not seen taken off`);
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
