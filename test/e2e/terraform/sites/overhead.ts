import { execFile } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { parsePlan } from '../../../../src/adapters/terraform/plan-json.ts';
import { judgePlan } from '../../../../src/domain/plan/plan-guard.ts';
import { pinkLinux } from '../../../terraform/plans/plan-verdicts.ts';

const run = promisify(execFile);

export interface Overhead {
  readonly planMs: number;
  readonly showMs: number;
  readonly guardMs: number;
  readonly resources: number;
}

/** Measures the duration of the plan guard, in addition to Terraform's own. */
export async function measureGuard(order: {
  readonly terraform: string;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly words: readonly string[];
}): Promise<Overhead> {
  const { terraform, directory: cwd, environment: env, words } = order;
  const began = performance.now();
  await run(terraform, ['plan', '-input=false', '-out=measured', ...words], { cwd, env });
  const planned = performance.now();
  const show = await run(terraform, ['show', '-json', 'measured'], { cwd, env, maxBuffer: 1e8 });
  const shown = performance.now();
  const plan = parsePlan(show.stdout);
  const refusals = judgePlan({ plan, purpose: 'provision', scope: pinkLinux });
  const checked = performance.now();
  if (refusals.length > 0) throw new Error(JSON.stringify(refusals));
  return {
    planMs: planned - began,
    showMs: shown - planned,
    guardMs: checked - shown,
    resources: plan.changes.length,
  };
}

export function describeOverhead({ planMs, showMs, guardMs, resources }: Overhead): string {
  const share = (100 * guardMs) / planMs;
  return `plan guard: ${guardMs.toFixed(1)} ms for ${resources} resources, ${share.toFixed(2)} % of terraform plan (${planMs.toFixed(0)} ms); terraform show -json ${showMs.toFixed(0)} ms\n`;
}
