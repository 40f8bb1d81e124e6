import { parseJson } from '../text/json.ts';
import {
  countChanges,
  isEmptyPlan,
  isNoChange,
  type PlanDocument,
  type PlannedChange,
} from './plan.ts';
import { judgeAdoption, type TakenName } from './plan-adoption.ts';
import { judgeAddress, judgeTag, judgeText, namesShard, type PlanScope } from './plan-scope.ts';

export type PlanPurpose = 'provision' | 'cleanup';

export interface PlanRefusal {
  readonly address: string;
  readonly actions: string;
  readonly reason: string;
}

/** Lists the reasons to refuse a plan; empty if the plan changes its own shard only. */
export function judgePlan(request: {
  readonly plan: PlanDocument;
  readonly purpose: PlanPurpose;
  readonly scope: PlanScope;
  /** Resources of this shard that may be imported if they carry its tags. */
  readonly adopt?: readonly TakenName[];
}): readonly PlanRefusal[] {
  const { plan, purpose, scope, adopt = [] } = request;
  const whole = judgeWhole(plan).map((reason) => ({ address: '(the plan)', actions: '', reason }));
  const changes = plan.changes.flatMap((change) => {
    const reason =
      judgeMove(change) ||
      judgeAdoption({ change, adopt, scope }) ||
      judgeActions(change, purpose) ||
      judgeAddress(scope, change.address) ||
      judgeValue(scope, change.before) ||
      judgeValue(scope, change.after) ||
      judgeUnknownTags(scope, change);
    const { address, actions } = change;
    return reason === '' ? [] : [{ address, actions: actions.join(', '), reason }];
  });
  const refusals = [...whole, ...changes];
  return refusals.length > 0 ? refusals : judgeOwnership(request);
}

function judgeWhole(plan: PlanDocument): string[] {
  const { formatVersion, errored, complete, applyable, beyond } = plan;
  const reasons: string[] = [];
  if (!/^1\.\d+$/.test(formatVersion)) {
    reasons.push(`its format ${formatVersion} is not supported (1.x)`);
  }
  if (errored) reasons.push('the run that made it ended with an error');
  if (complete === false) reasons.push('it is not complete');
  if (applyable === false && !isEmptyPlan(plan))
    reasons.push('it reports that it cannot be applied');
  return [...reasons, ...beyond.map((kind) => `it contains ${kind}`)];
}

function judgeMove({ previousAddress, address }: PlannedChange): string {
  return previousAddress !== undefined && previousAddress !== address
    ? `it is moved from ${previousAddress}`
    : '';
}

const provisioning = ['create', 'update', 'delete, create', 'create, delete'];

function judgeActions(change: PlannedChange, purpose: PlanPurpose): string {
  const actions = change.actions.join(', ');
  if (isNoChange(change)) return '';
  if (actions === 'read') return change.isData ? '' : 'it is read, but it is not a data source';
  if (actions !== 'delete' && !provisioning.includes(actions)) {
    return 'its actions are unknown';
  }
  if (change.isData) return 'it is a data source with an effect';
  if (purpose === 'cleanup') return actions === 'delete' ? '' : 'a cleanup only deletes';
  // A replacement killed halfway leaves a deposed object that must be deleted.
  if (actions === 'delete' && !change.isDeposed) {
    return 'provision deletes only what it replaces';
  }
  return '';
}

/** Checks every text within a value, including JSON inside texts. */
function judgeValue(scope: PlanScope, value: unknown): string {
  if (typeof value === 'string') {
    return judgeText(scope, value) || judgeValue(scope, parsed(value));
  }
  if (typeof value !== 'object' || value === null) return '';
  const pair = value as { key?: unknown; value?: unknown };
  if (typeof pair.key === 'string' && 'value' in pair) {
    const reason = judgeTag({ scope, key: pair.key, value: pair.value });
    if (reason !== '') return reason;
  }
  for (const [key, inner] of Object.entries(value)) {
    const reason =
      judgeTag({ scope, key, value: inner }) || judgeText(scope, key) || judgeValue(scope, inner);
    if (reason !== '') return reason;
  }
  return '';
}

function parsed(text: string): unknown {
  return /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
}

/** Refuses a change whose tags are known only after the apply. */
function judgeUnknownTags(scope: PlanScope, { afterUnknown }: PlannedChange): string {
  return holdsTag(scope, afterUnknown) ? 'one of its tags is unknown before the apply' : '';
}

function holdsTag(scope: PlanScope, unknown: unknown): boolean {
  if (typeof unknown !== 'object' || unknown === null) return false;
  return Object.entries(unknown).some(([key, value]) =>
    value === true ? [scope.stackTag, scope.shardTag].includes(key) : holdsTag(scope, value),
  );
}

/**
 * Refuses a plan that builds resources without the shard's name: it comes from another directory or
 * other variables. A destroy plan may contain unnamed resources only.
 */
function judgeOwnership({
  plan,
  purpose,
  scope,
}: {
  plan: PlanDocument;
  purpose: PlanPurpose;
  scope: PlanScope;
}): PlanRefusal[] {
  if (purpose === 'cleanup' || countChanges(plan.changes).add === 0) return [];
  const named = plan.changes.some(
    ({ after }) => after !== null && namesShard(scope, JSON.stringify(after) ?? ''),
  );
  const reason = `nothing in it has the name ${scope.shard}-${scope.runnerName}`;
  return named ? [] : [{ address: '(the plan)', actions: '', reason }];
}
