import type { RunnerName, StackShard } from '../../domain/shard.ts';
import { fill, fillAll } from '../../domain/text/placeholders.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import { isTemporary } from '../../errors/terraform-causes.ts';
import { isPassing, isPortFailure } from '../../ports/failure.ts';
import type { ProbeResult } from '../../ports/registry.ts';
import { toError } from './terraform-failure.ts';
import type { TerraformOptions } from './terraform-options.ts';
import { type Ended, type Failure, runForOutput, type TerraformOrder } from './terraform-run.ts';
import { runHolding } from './tfstate/lock-tracking.ts';
import { findLock } from './tfstate/state-lock.ts';
import { findWorkspace, hasLockFile, orderOf, type Workplace } from './workplace.ts';

type Initialise = (shard: StackShard) => Promise<Workplace>;

/**
 * Checks whether Terraform could plan: version, directory, providers by the lock file, backend,
 * state, state lock, configuration, and a value for each variable. It plans no resource, because
 * data sources may read values that `onboard` has not written yet.
 */
export async function probeTerraform(
  options: TerraformOptions,
  runnerName: RunnerName,
  initialise: Initialise,
): Promise<ProbeResult[]> {
  const results: ProbeResult[] = [];
  for (const shard of shardsToProbe(options, runnerName)) {
    results.push(...(await probeShard(options, shard, initialise)));
  }
  return results;
}

/** Lists the shards to probe: both if their directories differ, otherwise one. */
function shardsToProbe({ shards, settings }: TerraformOptions, runnerName: RunnerName) {
  const both = shards.map((shard): StackShard => ({ shard, runnerName }));
  const directories = both.map((shard) => fill(settings.directory, shard));
  return both.filter((_, index) => directories.indexOf(directories[index] ?? '') === index);
}

async function probeShard(
  options: TerraformOptions,
  shard: StackShard,
  initialise: Initialise,
): Promise<ProbeResult[]> {
  const { binary } = options.settings;
  const directory = fill(options.settings.directory, shard);
  const what = `${binary} in ${directory}`;
  const hadLockFile = await hasLockFile({ directory });
  try {
    await evaluate(options, await initialise(shard));
  } catch (error) {
    const detail = wordsOf(error);
    // The condition is temporary, or a service does not respond: nothing is missing.
    if (detail === undefined) throw error;
    return [{ what, outcome: 'missing', detail }];
  }
  if (hadLockFile || !(await hasLockFile({ directory }))) {
    return [{ what, outcome: 'granted', detail: 'it initializes and knows all variables' }];
  }
  const detail = `it has no .terraform.lock.hcl, so each job may get other versions; commit the file that ${binary} init writes`;
  return [{ what: `the providers of ${directory}`, outcome: 'not_probed', detail }];
}

/**
 * Evaluates the configuration with the lock, like each plan. If another run holds the lock, locks
 * work and `provision` waits for it. `prepare` then evaluates without the lock.
 */
async function evaluate(options: TerraformOptions, place: Workplace): Promise<void> {
  const attempt = async (lock: string) => {
    const order = evaluation(options, place, lock);
    // A command without a lock leaves the note of the lock holder unchanged.
    const failure =
      lock === unlocked
        ? failureIn(await runForOutput(options, order))
        : await runHolding({ options, place, order });
    return failure === undefined ? undefined : { order, failure, touched: false };
  };
  // A workspace that does not exist has no lock, and locking would create it.
  const hasState = await findWorkspace(options, place);
  let failed = await attempt(hasState ? '-lock-timeout=0s' : unlocked);
  if (failed !== undefined && findLock(failed.failure.diagnostics) !== undefined)
    failed = await attempt(unlocked);
  if (failed !== undefined) throw toError({ options, ...failed });
}

const unlocked = '-lock=false';

function failureIn(ended: Ended<object>): Failure | undefined {
  return ended.kind === 'failed' ? ended : undefined;
}

/**
 * Plans for a target that does not exist. Terraform then checks variables and reads the state, but
 * plans nothing.
 */
function evaluation(
  { settings }: TerraformOptions,
  place: Workplace,
  lock: string,
): TerraformOrder {
  const { varFiles, variables } = settings;
  return orderOf(place, 'plan', [
    '-input=false',
    '-json',
    lock,
    '-refresh=false',
    '-target=terraform_data.hosted_runner_probe',
    ...fillAll(varFiles, place.shard).map((file) => `-var-file=${file}`),
    ...fillAll(variables, place.shard).map((pair) => `-var=${pair}`),
  ]);
}

/** Returns the message of a cause that an operator must fix. Undefined for a temporary cause. */
function wordsOf(error: unknown): string | undefined {
  if (isPortFailure(error)) return isPassing(error) ? undefined : error.message;
  if (!isDeployError(error) || error.exitCode === 75 || isTemporary(error)) return undefined;
  const { what, why = [], fix = [] } = error.written;
  const fixes = fix.filter((line) => typeof line === 'string');
  return [what, ...why, ...fixes].join(' ').replace(/\.$/, '');
}
