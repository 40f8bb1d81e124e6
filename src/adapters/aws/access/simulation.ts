import type { EvaluationResult } from '@aws-sdk/client-iam';
import type { CallerIdentity } from '../../../ports/cloud/account.ts';
import type { Iam } from '../services.ts';
import type { Permission } from './permissions.ts';
import { type Extent, extentOf, type StackPlace } from './scopes.ts';

/** Permission that IAM reports as missing, and its resource. */
export interface Missing {
  readonly permission: Permission;
  readonly resource: string;
  /** `implicitDeny` (no policy allows it) or `explicitDeny` (a policy forbids it). */
  readonly decision: string;
}

/** Decision of IAM that depends on a condition value which only the real call has. */
export interface Undecided {
  readonly permission: Permission;
  readonly resource: string;
  readonly decision: 'allowed' | 'refused';
  /** Condition keys such as `aws:SourceIp`. */
  readonly without: readonly string[];
}

export type Simulation =
  | {
      readonly kind: 'simulated';
      readonly missing: readonly Missing[];
      readonly undecided: readonly Undecided[];
    }
  | { readonly kind: 'not_simulated'; readonly reason: string };

/**
 * Returns the ARN of the principal to simulate. The ARN of an assumed role lacks the role's path. A
 * role with a path is therefore not found, and nothing is simulated.
 */
export function principalOf({ arn }: Pick<CallerIdentity, 'arn'>): string | undefined {
  const role = /^arn:([^:]+):sts::(\d{12}):assumed-role\/([^/]+)\//.exec(arn);
  if (role !== null) return `arn:${role[1]}:iam::${role[2]}:role/${role[3]}`;
  return /^arn:[^:]+:iam::\d{12}:(?:user|role)\//.test(arn) ? arn : undefined;
}

/**
 * Simulates whether a principal may perform these actions on the stack's resources. Changes
 * nothing.
 */
export async function simulate(
  iam: Iam,
  { principal, place }: { principal: string; place: StackPlace },
  wanted: readonly Permission[],
): Promise<Simulation> {
  const missing: Missing[] = [];
  const undecided: Undecided[] = [];
  for (const scope of new Set(wanted.map(({ on }) => on))) {
    const ofScope = wanted.filter(({ on }) => on === scope);
    for (const example of examplesOf(extentOf(scope, place))) {
      const answer = await querySimulation(iam, principal, { permissions: ofScope, example });
      if (answer.kind === 'not_simulated') return answer;
      missing.push(...answer.missing);
      undecided.push(...answer.undecided);
    }
  }
  return { kind: 'simulated', missing, undecided };
}

interface Example {
  readonly resource: string;
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * Lists resources to simulate: each parameter by name, and one per shard for resources with random
 * ids.
 */
function examplesOf({ resources, tags }: Extent): readonly Example[] {
  if (resources[0]?.includes('*') !== true) {
    return resources.map((resource) => ({ resource, tags: {} }));
  }
  const count = Math.max(1, ...Object.values(tags).map((values) => values.length));
  return Array.from({ length: count }, (_, at) => ({
    resource: resources[0] === '*' ? '*' : (resources[0] ?? '').replaceAll('*', '0'),
    tags: Object.fromEntries(
      Object.entries(tags).map(([key, values]) => [key, values[at] ?? values[0] ?? '']),
    ),
  }));
}

/**
 * Lists the condition keys that IAM had no value for. The request contains the resource's tags, so
 * missing tag keys belong to statements about other resources. For a named resource, IAM lists the
 * keys beside the resource; for `*`, beside the action:
 * https://docs.aws.amazon.com/IAM/latest/APIReference/API_EvaluationResult.html
 */
function missingContextOf(results: readonly EvaluationResult[]): readonly string[] {
  const keys = results.flatMap(({ MissingContextValues: own = [], ResourceSpecificResults }) => [
    ...own,
    ...(ResourceSpecificResults ?? []).flatMap(({ MissingContextValues: its = [] }) => its),
  ]);
  return [...new Set(keys)].filter((key) => !/^(?:aws|ssm):resourcetag\//i.test(key)).sort();
}

async function querySimulation(
  iam: Iam,
  principal: string,
  { permissions, example }: { permissions: readonly Permission[]; example: Example },
): Promise<Simulation> {
  const { resource, tags } = example;
  const what = `SimulatePrincipalPolicy ${principal}`;
  const answer = await iam.send({
    what,
    effect: 'read',
    call: (client, options) =>
      client.simulatePrincipalPolicy(
        {
          PolicySourceArn: principal,
          ActionNames: permissions.map(({ action }) => action),
          ResourceArns: [resource],
          ContextEntries: Object.entries(tags).map(([key, value]) => ({
            ContextKeyName: key,
            ContextKeyValues: [value],
            ContextKeyType: 'string' as const,
          })),
        },
        options,
      ),
    answers: ['NoSuchEntityException'],
  });
  if (answer.kind === 'refusal') return { kind: 'not_simulated', reason: answer.message };
  const results = answer.value.EvaluationResults ?? [];
  const missing: Missing[] = [];
  const undecided: Undecided[] = [];
  for (const permission of permissions) {
    const ofAction = results.filter(({ EvalActionName: name }) => name === permission.action);
    const isDecided = ofAction.every(({ EvalDecision: decision }) => decision !== undefined);
    if (ofAction.length === 0 || !isDecided || answer.value.IsTruncated === true)
      throw iam.unexpected({
        what,
        detail: `no result for ${permission.action}`,
        effect: 'read',
      });
    const denied = ofAction.find(({ EvalDecision: decision }) => decision !== 'allowed');
    const without = missingContextOf(ofAction);
    const decision = denied === undefined ? 'allowed' : 'refused';
    if (without.length > 0) undecided.push({ permission, resource, decision, without });
    else if (denied !== undefined)
      missing.push({ permission, resource, decision: denied.EvalDecision ?? '' });
  }
  return { kind: 'simulated', missing, undecided };
}
