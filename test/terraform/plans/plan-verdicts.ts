import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parsePlan } from '../../../src/adapters/terraform/plan-json.ts';
import type { TakenName } from '../../../src/domain/plan/plan-adoption.ts';
import { judgePlan, type PlanPurpose } from '../../../src/domain/plan/plan-guard.ts';
import type { PlanScope } from '../../../src/domain/plan/plan-scope.ts';

/** Returns the output of `terraform show -json`. Each file contains its command and version. */
export function captured(name: string): RawPlan {
  const path = fileURLToPath(new URL(`./captured/${name}.json`, import.meta.url));
  return (JSON.parse(readFileSync(path, 'utf8')) as { plan: RawPlan }).plan;
}

export interface RawPlan {
  format_version?: unknown;
  resource_changes?: RawChange[];
  [key: string]: unknown;
}

export interface RawChange {
  address: string;
  mode: string;
  type: string;
  change: {
    actions: string[];
    before: unknown;
    after: unknown;
    after_unknown: unknown;
    [key: string]: unknown;
  };
  [key: string]: unknown;
}

export const pinkLinux = {
  runnerName: 'linux',
  shard: 'pink',
  shards: ['pink', 'purple'],
  parameterPrefix: '/gitlab/dedicated/runner/linux/',
  ownNames: [],
  stackTag: 'hosted-runner:stack',
  shardTag: 'hosted-runner:shard',
} as unknown as PlanScope;

/** Returns the rows of the table that an operator would see; empty for an accepted plan. */
export function refusalsOf(
  plan: RawPlan,
  purpose: PlanPurpose,
  scope: Partial<Record<keyof PlanScope, unknown>> = {},
  adopt: readonly TakenName[] = [],
): string[] {
  return judgePlan({
    plan: parsePlan(JSON.stringify(plan)),
    purpose,
    adopt,
    scope: { ...pinkLinux, ...(scope as Partial<PlanScope>) },
  }).map(({ address, actions, reason }) => [address, actions, reason].filter(Boolean).join(' | '));
}

/** Returns a valid plan with one more change. */
export function withChange(change: {
  address?: string;
  mode?: string;
  type?: string;
  actions?: string[];
  before?: unknown;
  after?: unknown;
  unknown?: unknown;
  importing?: unknown;
  extra?: Record<string, unknown>;
}): RawPlan {
  const plan = captured('first-build');
  const { address = 'aws_thing.x', mode = 'managed', type = 'aws_thing', extra = {} } = change;
  plan.resource_changes?.push({
    address,
    mode,
    type,
    change: {
      actions: change.actions ?? ['create'],
      before: change.before ?? null,
      after: change.after ?? null,
      after_unknown: change.unknown ?? {},
      ...('importing' in change ? { importing: change.importing } : {}),
    },
    ...extra,
  });
  return plan;
}
