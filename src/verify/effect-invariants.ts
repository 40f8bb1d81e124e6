import { checkBake } from './bake-invariants.ts';
import {
  expectAt,
  isHousekeeping,
  isRecord,
  isRegistrationIdle,
  isShardDead,
  isStatus,
  type Moment,
  registrationIn,
  touched,
} from './effects.ts';
import { isProven } from './first-occurrences.ts';
import { checkRemoval } from './removal-invariants.ts';
import {
  hasReached,
  parameterIn,
  type RecordState,
  readActive,
  readRecord,
} from './world-model.ts';

/** Checks S1 to S15, as far as one effect and the knowledge of its run can decide them. */
export function checkEffect(moment: Moment): void {
  if (moment.call.name.startsWith('registry.')) judgeRegistry(moment);
  if (moment.call.name.startsWith('infrastructure.')) judgeInfrastructure(moment);
  if (moment.call.name.startsWith('parameters.')) judgeParameter(moment);
  checkRemoval(moment);
  checkBake(moment);
  if (moment.call.name === 'host.kill') {
    expectAt(moment, 'S2', moment.head.mayKill, 'jobs are killed without permission');
  }
  if (isHousekeeping(moment)) return;
  judgeOwner(moment);
  judgeContradiction(moment);
  judgeOwnRunner(moment);
}

function judgeRegistry(moment: Moment): void {
  const { known, call } = moment;
  const id = registrationIn(call);
  if (call.name === 'registry.create') return;
  const shard = touched(moment);
  const entry = known.registrations.get(id);
  expectAt(
    moment,
    'S15',
    shard !== undefined,
    `no source confirms that runner ${id} belongs to this stack`,
  );
  // GitHub's token only registers runners: registered ones do not depend on it.
  const disowns = call.name === 'registry.resetToken' && !moment.head.removes;
  const takesAway = call.name === 'registry.retire' || disowns;
  if (takesAway) {
    const reason = `runner ${id} was not observed without a job`;
    expectAt(moment, 'S2', isRegistrationIdle(moment, id, shard), reason);
    const isUnknown = known.jobs.get(id) === 'unknown' && entry?.gone !== true;
    const hasResponse = !isUnknown || isShardDead(moment, shard);
    expectAt(moment, 'S11', hasResponse, 'the last query for its jobs had no response');
  }
  const closes = call.name === 'registry.setIntake' && call.args[1] === 'closed';
  if (!closes && call.name !== 'registry.retire') return;
  const isActive = shard !== undefined && known.active === shard;
  expectAt(moment, 'S10', !isActive, `${shard} is active`);
  if (closes && known.record?.phase === 'draining') judgeOther(moment);
}

/** Checks that the candidate accepted jobs before the retiring shard is paused. */
function judgeOther(moment: Moment): void {
  const { known } = moment;
  const { candidate = '', shards } = known.record ?? {};
  const id = shards?.[candidate]?.registration ?? '';
  const { gone, paused, production } = known.registrations.get(id) ?? {};
  const acceptsJobs = gone === false && paused === false && production === true;
  expectAt(moment, 'S1', acceptsJobs, `${candidate} was not verified before`);
}

function judgeInfrastructure(moment: Moment): void {
  const { known, call, head } = moment;
  const target = (call.args[0] ?? {}) as { runner_name?: string; shard?: string };
  const { record } = known;
  const shard = String(target.shard);
  expectAt(moment, 'S15', target.runner_name === head.runner, 'another stack');
  if (record === undefined) {
    expectAt(moment, 'S6', false, 'no record was read before');
    return;
  }
  const entry = record.shards[shard] ?? {};
  if (call.name === 'infrastructure.apply') {
    const right = shard === record.candidate && record.phase === 'applying';
    expectAt(moment, 'S6', right, `${record.candidate} is the candidate, ${record.phase}`);
    expectAt(moment, 'S6', entry.production_tag !== true, `${shard} has had production tags`);
    expectAt(moment, 'S6', known.active !== shard, `${shard} is active`);
    return;
  }
  const retires = shard === record.retiring && record.phase === 'destroying';
  const retreats = shard === record.candidate && record.phase === 'retreating';
  expectAt(
    moment,
    'S7',
    retires || retreats,
    `the record is ${record.phase} of candidate ${record.candidate}`,
  );
  expectAt(moment, 'S7', known.active !== shard, `${shard} is active`);
  const id = entry.registration;
  if (id !== undefined)
    expectAt(
      moment,
      'S2',
      isRegistrationIdle(moment, id, shard),
      `runner ${id} of ${shard} was not observed as gone or without a job`,
    );
}

function judgeParameter(moment: Moment): void {
  const { call, head, known } = moment;
  const { name, value } = parameterIn(call);
  expectAt(moment, 'S15', name.startsWith(head.prefix), 'not a parameter of this stack');
  if (call.name === 'parameters.remove') return;
  if (isStatus(moment)) judgeSwitch(moment, readActive(value, head));
  const next = isRecord(moment) ? readRecord(value) : undefined;
  if (next?.phase === 'destroying' && known.record?.phase !== 'destroying')
    judgeDrained(moment, next);
}

/** Checks that `destroying` is written only after this run has seen the retiring shard idle. */
function judgeDrained(moment: Moment, { retiring, shards }: RecordState): void {
  const id = retiring === undefined ? undefined : shards[retiring]?.registration;
  if (id === undefined) return;
  const { baking } = moment.known.record ?? {};
  const watched = `the bake has not ended, and ${retiring} is the rollback target`;
  expectAt(moment, 'S7', baking !== true, watched);
  const idle = isRegistrationIdle(moment, id, retiring);
  expectAt(moment, 'S7', idle, `${retiring} was not observed as drained before`);
}

function judgeSwitch(moment: Moment, to: string | null): void {
  const { known } = moment;
  const { record, active } = known;
  if (to === active) return;
  // A deleted status is restored from the finished record.
  const isDeleted = known.absent.has(parameterIn(moment.call).name);
  if (isDeleted && record?.phase === 'done' && to === record.candidate) return;
  if (record === undefined || record.phase !== 'promoting' || to !== record.candidate) {
    expectAt(moment, 'S4', false, `the record does not report the promotion of ${to}`);
    return;
  }
  const { evidence, registration = '' } = record.shards[record.candidate] ?? {};
  expectAt(
    moment,
    'S4',
    isProven(moment.firsts, record),
    `the evidence of ${to} dates from ${evidence?.at ?? 'never'}`,
  );
  const expected = record.kind === 'activate' || (active ?? undefined) === record.retiring;
  expectAt(
    moment,
    'S13',
    expected,
    `the status named ${active ?? 'nothing'}, not ${record.retiring ?? 'nothing'}`,
  );
  const { gone, paused, production } = known.registrations.get(registration) ?? {};
  const acceptsJobs = gone === false && paused === false && production === true;
  expectAt(moment, 'S1', acceptsJobs, `${to} was not verified before`);
}

function judgeOwner(moment: Moment): void {
  const { head, known } = moment;
  const { record } = known;
  expectAt(moment, 'S9', !known.foreign, 'another writer has changed the record since');
  if (record === undefined || head.ci === 'terminal' || head.command.startsWith('activate')) return;
  const older = head.createdAt < record.createdAt && !record.id.startsWith(head.deployment);
  expectAt(moment, 'S9', !older, `deployment ${record.id} is of a newer pipeline`);
}

/** Checks S8, except for `activate`, which completes an edit of the status. */
function judgeContradiction(moment: Moment): void {
  const { head, known } = moment;
  const { record, active } = known;
  if (active === undefined || record === undefined || head.command.startsWith('activate')) return;
  if (record.kind === 'activate') return;
  const expected = expectedActive(record);
  const agrees = active !== null && (expected === 'either' || expected === active);
  expectAt(
    moment,
    'S8',
    agrees,
    `the status names ${active ?? 'nothing'}, but the record is ${record.phase} of ${record.candidate}`,
  );
}

function expectedActive({
  phase,
  candidate,
  retiring,
}: RecordState): string | 'either' | undefined {
  if (phase === 'promoting') return 'either';
  return hasReached(phase, 'promoted') ? candidate : retiring;
}

function judgeOwnRunner(moment: Moment): void {
  const { head, known } = moment;
  const shard = touched(moment);
  if (head.own === undefined || shard === undefined) return;
  const own = known.record?.shards[shard]?.registration === head.own;
  const harmless = moment.call.name === 'registry.setIntake' && moment.call.args[1] === 'open';
  expectAt(moment, 'S14', !own || harmless, 'this job runs on it');
}
