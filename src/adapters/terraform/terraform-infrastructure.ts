import type { StackShard } from '../../domain/shard.ts';
import { planChanged } from '../../errors/terraform-errors.ts';
import { PortFailure } from '../../ports/failure.ts';
import type {
  Infrastructure,
  InfrastructureEvent,
  InfrastructurePlan,
} from '../../ports/infrastructure.ts';
import { type CheckedPlan, makePlan, placeOf } from './plan-creation.ts';
import { createPlanFolder, readPlanFile, removePlanFolder, writePlanFile } from './plan-file.ts';
import { createProgress } from './progress.ts';
import { toError } from './terraform-failure.ts';
import type { TerraformOptions } from './terraform-options.ts';
import { probeTerraform } from './terraform-probe.ts';
import { findTaken } from './tfstate/adoption.ts';
import { keepUnsaved, markUnsaved, readUnsaved } from './tfstate/emergency-state.ts';
import { streamHolding } from './tfstate/lock-tracking.ts';
import { idsOfStates, judgeStates } from './tfstate/terraform-state.ts';
import {
  initialisedWorkplace,
  openWorkplace,
  orderOf,
  readOutput,
  type Workplace,
} from './workplace.ts';

/**
 * Creates infrastructure by Terraform or OpenTofu: plan, check the plan, apply exactly that plan.
 * Destroy works in the same way.
 */
export function createTerraformInfrastructure(options: TerraformOptions): Infrastructure {
  const initialised = new Map<string, Promise<Workplace>>();
  const opened = new Map<string, Promise<Workplace>>();
  const plans = new Map<string, CheckedPlan>();

  const initialise = (shard: StackShard) =>
    once(initialised, shard, () => initialisedWorkplace(options, shard));
  const open = (shard: StackShard) =>
    once(opened, shard, async () => openWorkplace(options, await initialise(shard)));

  return {
    async plan(shard, { replace = [], adopt = [] } = {}) {
      const place = await open(shard);
      const checked = await makePlan({ options, place, purpose: 'provision', replace, adopt });
      plans.set(checked.saved.digest, checked);
      const kind = checked.isEmpty ? 'empty' : 'changes';
      const { summary, saved, builds, updates } = checked;
      const plan = { kind, summary, handle: saved.digest, builds } as const;
      return updates === undefined ? plan : { ...plan, updates };
    },
    async *apply(shard, plan) {
      yield* applyPlan(options, take({ plans, plan, shard }));
    },
    async *destroy(shard) {
      const place = await open(shard);
      yield* applyPlan(options, await makePlan({ options, place, purpose: 'cleanup' }));
    },
    async exists(shard) {
      const place = await open(shard);
      return judgeStates(await readStates(options, place));
    },
    async listKnown(shard) {
      const place = await open(shard);
      return idsOfStates(await readStates(options, place));
    },
    probe: (runnerName) => probeTerraform(options, runnerName, initialise),
  };
}

/**
 * Shares one initialisation. After a failure, which may be temporary or another call's cancel,
 * waiting and later calls try again.
 */
function once(
  known: Map<string, Promise<Workplace>>,
  place: StackShard,
  make: () => Promise<Workplace>,
): Promise<Workplace> {
  const { shard } = place;
  const before = known.get(shard);
  if (before !== undefined) return before.catch(() => once(known, place, make));
  const made = make();
  known.set(shard, made);
  made.catch(() => known.delete(shard));
  return made;
}

/** Reads the stored state, and the state that an apply could not store. */
async function readStates(options: TerraformOptions, place: Workplace): Promise<string[]> {
  const stored = await readOutput(options, orderOf(place, 'state', ['pull']));
  const unsaved = await readUnsaved(place);
  return unsaved === undefined ? [stored] : [stored, unsaved];
}

/** Takes a plan, which can be applied only once: the apply changes its basis. */
function take({
  plans,
  plan,
  shard,
}: {
  plans: Map<string, CheckedPlan>;
  plan: InfrastructurePlan;
  shard: StackShard;
}): CheckedPlan {
  const checked = plans.get(plan.handle ?? '');
  plans.delete(plan.handle ?? '');
  if (checked?.place.shard.shard === shard.shard) return checked;
  throw new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: `the plan of ${shard.shard}`,
    detail: 'it was not made in this run for this shard',
  });
}

async function* applyPlan(
  options: TerraformOptions,
  checked: CheckedPlan,
): AsyncGenerator<InfrastructureEvent> {
  if (checked.isEmpty) {
    yield { kind: 'progress', text: `nothing to do (${checked.summary})` };
    yield { kind: 'done', counts: { added: 0, changed: 0, destroyed: 0 }, outputs: {} };
    return;
  }
  const { place, saved } = checked;
  const path = await createPlanFolder(place, options.processes);
  try {
    await writePlanFile(path, saved);
    if ((await readPlanFile(path)).digest !== saved.digest) {
      throw planChanged(placeOf(options, place));
    }
    yield* carryOut(options, checked, path);
  } finally {
    await removePlanFolder(path);
  }
}

async function* carryOut(
  options: TerraformOptions,
  { place, acts, summary, imports }: CheckedPlan,
  path: string,
): AsyncGenerator<InfrastructureEvent> {
  const { settings } = options;
  const timeout = `-lock-timeout=${Math.ceil(settings.lockTimeoutMs / 1000)}s`;
  const order = orderOf(place, 'apply', ['-input=false', '-json', timeout, path]);
  const progress = createProgress(acts);
  const mark = await markUnsaved(place);
  const messages = streamHolding({ options, place, order });
  try {
    yield { kind: 'progress', text: `${settings.binary}: ${summary}` };
    let next = await messages.next();
    for (; !next.done; next = await messages.next()) {
      const text = progress.read(next.value);
      if (text !== undefined) yield { kind: 'progress', text: options.redact(text) };
    }
    const failure = next.value;
    if (failure !== undefined) {
      const unsaved = await keepUnsaved(place, mark);
      const error = toError({ options, order, failure, touched: true, unsaved });
      const names = findTaken(failure, error, imports);
      if (names.length === 0) throw error;
      yield { kind: 'taken', names, error };
      return;
    }
    yield { kind: 'done', counts: progress.counts ?? {}, outputs: progress.outputs };
  } finally {
    await messages.return(undefined);
    await keepUnsaved(place, mark);
  }
}
