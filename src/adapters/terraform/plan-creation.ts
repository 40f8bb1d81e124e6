import type { PlannedBuild } from '../../domain/fingerprint/fingerprint.ts';
import { countChanges, isEmptyPlan, type PlanDocument } from '../../domain/plan/plan.ts';
import type { TakenName } from '../../domain/plan/plan-adoption.ts';
import { plannedBuild } from '../../domain/plan/plan-build.ts';
import { judgePlan, type PlanPurpose, type PlanRefusal } from '../../domain/plan/plan-guard.ts';
import { judgeReplacement } from '../../domain/plan/plan-replace.ts';
import { type PlannedUpdates, plannedUpdates } from '../../domain/plan/plan-updates.ts';
import { fillAll } from '../../domain/text/placeholders.ts';
import { planChanged, planRefused } from '../../errors/terraform-errors.ts';
import { sanitizeLine } from '../transport/words/sanitize.ts';
import { createPlanFolder, readPlanFile, removePlanFolder, type SavedPlan } from './plan-file.ts';
import { parsePlan } from './plan-json.ts';
import { toError } from './terraform-failure.ts';
import type { TerraformOptions } from './terraform-options.ts';
import { type Imports, importsOf, withImports } from './tfstate/adoption.ts';
import { runHolding } from './tfstate/lock-tracking.ts';
import { breakingDeadLock, saveUnsaved } from './tfstate/state-rescue.ts';
import { orderOf, readOutput, type Workplace } from './workplace.ts';

/** Plan that passed the guard, with the bytes that were checked. */
export interface CheckedPlan {
  readonly place: Workplace;
  readonly purpose: PlanPurpose;
  readonly saved: SavedPlan;
  readonly isEmpty: boolean;
  /** Number of actions. A replacement counts as two. */
  readonly acts: number;
  readonly summary: string;
  readonly imports: Imports;
  readonly builds: PlannedBuild;
  readonly updates: PlannedUpdates | undefined;
}

export async function makePlan({
  options,
  place,
  purpose,
  replace = [],
  adopt = [],
}: {
  options: TerraformOptions;
  place: Workplace;
  purpose: PlanPurpose;
  replace?: readonly string[];
  adopt?: readonly TakenName[];
}): Promise<CheckedPlan> {
  await saveUnsaved(options, place);
  const path = await createPlanFolder(place, options.processes);
  try {
    const imports = { names: adopt, self: options.processes.self };
    await withImports(place, imports, () => plan({ options, place, path, purpose, replace }));
    const saved = await readPlanFile(path);
    const shown = await readOutput(options, orderOf(place, 'show', ['-json', path]));
    if ((await readPlanFile(path)).digest !== saved.digest)
      throw planChanged(placeOf(options, place));
    const document = parsePlan(shown);
    const dependents = judge({ options, place, purpose, replace, adopt, document });
    const { add, change, destroy } = countChanges(document.changes);
    return {
      place,
      purpose,
      saved,
      isEmpty: isEmptyPlan(document),
      acts: add + change + destroy,
      summary: [
        `${add} to add, ${change} to change, ${destroy} to destroy`,
        ...dependents.map(
          (address) => `together with ${sanitizeLine(address, 100)}, which depends on it`,
        ),
      ].join('; '),
      imports: importsOf(document),
      builds: plannedBuild(document),
      updates: updatesOf(document),
    };
  } finally {
    await removePlanFolder(path);
  }
}

async function plan(request: {
  options: TerraformOptions;
  place: Workplace;
  path: string;
  purpose: PlanPurpose;
  replace: readonly string[];
}): Promise<void> {
  const { options, place, path, purpose, replace } = request;
  const { settings } = options;
  const order = orderOf(place, 'plan', [
    '-input=false',
    '-json',
    `-lock-timeout=${Math.ceil(settings.lockTimeoutMs / 1000)}s`,
    ...(purpose === 'cleanup' ? ['-destroy'] : []),
    ...replace.map((address) => `-replace=${address}`),
    ...fillAll(settings.varFiles, place.shard).map((file) => `-var-file=${file}`),
    ...fillAll(settings.variables, place.shard).map((pair) => `-var=${pair}`),
    `-out=${path}`,
  ]);
  const failure = await breakingDeadLock(options, place, () =>
    runHolding({ options, place, order }),
  );
  if (failure !== undefined) throw toError({ options, order, failure, touched: false });
}

/**
 * Checks a plan with the guard, including the effects of replacements. @throws DeployError
 * `PlanRefused`
 */
function judge(request: {
  options: TerraformOptions;
  place: Workplace;
  purpose: PlanPurpose;
  replace: readonly string[];
  adopt: readonly TakenName[];
  document: PlanDocument;
}): readonly string[] {
  const { options, place, purpose, replace, adopt, document } = request;
  const { settings, shards, parameterPrefix } = options;
  const whole = judgePlan({
    plan: document,
    purpose,
    adopt,
    scope: {
      ...place.shard,
      shards,
      parameterPrefix,
      ownNames: fillAll(settings.ownNames, place.shard),
      stackTag: settings.stackTag,
      shardTag: settings.shardTag,
    },
  });
  const replacement = judgeReplacement(document.changes, replace);
  const refusals = whole.length > 0 ? whole : replacement.refusals;
  if (refusals.length === 0) return replacement.dependents;
  throw planRefused({ ...placeOf(options, place), purpose: verbs[purpose], rows: table(refusals) });
}

const verbs = { provision: 'build', cleanup: 'destroy' } as const;

const mostRows = 20;

/** Formats three columns. The text of a plan is untrusted. */
function table(refusals: readonly PlanRefusal[]): string[] {
  const rows = refusals
    .slice(0, mostRows)
    .map(({ address, actions, reason }) => [
      sanitizeLine(address, 100),
      sanitizeLine(actions, 40) || '–',
      sanitizeLine(reason, 200),
    ]);
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const [first, second] = [width(0), width(1)];
  const lines = rows.map(
    ([address = '', actions = '', reason = '']) =>
      `${address.padEnd(first)}  ${actions.padEnd(second)}  ${reason}`,
  );
  const more = refusals.length - rows.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function updatesOf(document: PlanDocument): PlannedUpdates | undefined {
  const updates = plannedUpdates(document);
  if (updates === undefined) return undefined;
  return { ...updates, addresses: updates.addresses.map((address) => sanitizeLine(address, 100)) };
}

export function placeOf({ settings }: TerraformOptions, { shard }: Workplace) {
  return { runner: shard.runnerName, shard: shard.shard, binary: settings.binary };
}
