import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaggedKind } from '../../../domain/plan/aws-resource.ts';
import type { PlanDocument } from '../../../domain/plan/plan.ts';
import type { Taken, TakenName } from '../../../domain/plan/plan-adoption.ts';
import type { ShardPair } from '../../../domain/shard.ts';
import { isDeployError } from '../../../errors/deploy-error.ts';
import { PortFailure } from '../../../ports/failure.ts';
import type { ProcessTable } from '../../../ports/run.ts';
import { isNameTaken } from '../terraform-failure.ts';
import type { Failure } from '../terraform-run.ts';
import type { Workplace } from '../workplace.ts';

/** Attribute by type that is both the name and the import id. */
const naming: Readonly<Record<string, string>> = {
  aws_autoscaling_group: 'name',
  aws_cloudwatch_log_group: 'name',
  aws_iam_instance_profile: 'name',
  aws_iam_role: 'name',
};

/** Types that are imported by an AWS id and found by their Name tag. */
const labelled: Readonly<Record<string, TaggedKind>> = {
  aws_launch_template: 'launch_template',
  aws_security_group: 'security_group',
  aws_vpc_security_group_egress_rule: 'security_group_rule',
  aws_vpc_security_group_ingress_rule: 'security_group_rule',
};

/**
 * Import of each resource that a plan creates, by address, for the case that it already exists.
 */
export type Imports = ReadonlyMap<string, Taken>;

export function importsOf({ changes }: PlanDocument): Imports {
  return new Map(
    changes.flatMap(({ address, type, actions, isData, after }) => {
      if (isData || actions.join() !== 'create') return [];
      const taken = importOf(address, type, (after ?? {}) as Readonly<Record<string, unknown>>);
      return taken === undefined ? [] : [[address, taken] as const];
    }),
  );
}

function importOf(
  address: string,
  type: string,
  after: Readonly<Record<string, unknown>>,
): Taken | undefined {
  const id = after[naming[type] ?? ''];
  if (typeof id === 'string') return isPlain(id) ? { address, id } : undefined;
  const kind = labelled[type];
  const name = (after['tags'] as Readonly<Record<string, unknown>> | null | undefined)?.['Name'];
  return kind !== undefined && typeof name === 'string' ? { address, kind, name } : undefined;
}

/**
 * Decides whether an id is safe in a file of Terraform's language. AWS names contain only these
 * characters.
 */
function isPlain(id: string): boolean {
  return /^[\w+=,.@/-]+$/.test(id);
}

/**
 * Lists the existing resources that stopped an apply and that an import could adopt. Empty for any
 * other failure.
 */
export function findTaken(failure: Failure, error: Error, imports: Imports): readonly Taken[] {
  if (!isDeployError(error) || error.code !== 'TerraformNameTaken') return [];
  const names = failure.diagnostics.filter(isNameTaken).flatMap(({ address = '' }) => {
    const taken = imports.get(address);
    return taken === undefined ? [] : [taken];
  });
  return [...new Map(names.map((name) => [name.address, name])).values()];
}

const prefix = 'hosted-runner-adoption.';

/**
 * Runs `act` with import blocks beside the configuration, only while Terraform plans. The guard
 * then checks the imports with the rest of the plan. `terraform import` would change the state
 * before any check of the tags.
 */
export async function withImports<Answer>(
  place: Workplace,
  { names, self }: { names: readonly TakenName[]; self: string },
  act: () => Promise<Answer>,
): Promise<Answer> {
  if (names.length === 0) return act();
  if (!names.every(({ id }) => isPlain(id))) throw new Error('an id that is not an AWS id');
  const { runnerName, shard } = place.shard;
  const owner = Buffer.from(self).toString('base64url');
  const file = join(place.directory, `${prefix}${runnerName}-${shard}.${owner}.tf`);
  const blocks = names.map(({ address, id }) => `import {\n  to = ${address}\n  id = "${id}"\n}\n`);
  await writeFile(file, blocks.join('\n'), { flag: 'wx' }).catch((error: Error) => {
    const { directory } = place;
    throw new PortFailure({
      kind: 'refused',
      effect: 'none',
      source: directory,
      detail: error.message,
    });
  });
  return act().finally(() => rm(file, { force: true }));
}

/**
 * Removes import files of runs that were killed during a plan. All files of this stack are removed,
 * because only one stage runs at a time. Files of other stacks are removed if their run is proven
 * dead.
 */
export async function sweepImports(
  { directory, shard }: Workplace,
  { shards, processes }: { shards: ShardPair; processes: ProcessTable },
): Promise<void> {
  const own = shards.map((one) => `${shard.runnerName}-${one}`);
  for (const name of await readdir(directory)) {
    const [, stack = '', owner = ''] =
      /^hosted-runner-adoption\.([\w-]+)\.([\w-]+)\.tf$/.exec(name) ?? [];
    if (stack === '') continue;
    const process = Buffer.from(owner, 'base64url').toString();
    if (own.includes(stack) || processes.isAlive(process) === 'dead')
      await rm(join(directory, name), { force: true });
  }
}
