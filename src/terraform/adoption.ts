import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlanDocument } from '../domain/plan.ts';
import type { TakenName } from '../domain/plan-adoption.ts';
import type { ShardPair } from '../domain/shard.ts';
import { DeployError } from '../errors/deploy-error.ts';
import { PortFailure } from '../ports/failure.ts';
import type { ProcessTable } from '../ports/host.ts';
import { meansTaken } from './failure.ts';
import type { Failure } from './run.ts';
import type { Workplace } from './workplace.ts';

/** Kinds whose name is given by the configuration and is all that an import asks for. */
const naming: Readonly<Record<string, string>> = {
  aws_autoscaling_group: 'name',
  aws_cloudwatch_log_group: 'name',
  aws_iam_instance_profile: 'name',
  aws_iam_role: 'name',
};

/** By address, as what a thing that is to be created would be imported if it existed already. */
export type ImportIds = ReadonlyMap<string, string>;

export function importIdsOf({ changes }: PlanDocument): ImportIds {
  return new Map(
    changes.flatMap(({ address, type, actions, isData, after }) => {
      const key = naming[type];
      if (key === undefined || isData || actions.join() !== 'create') return [];
      const id = (after as Readonly<Record<string, unknown>> | null)?.[key];
      return typeof id === 'string' && isPlain(id) ? [[address, id] as const] : [];
    }),
  );
}

/** It is written into a file of Terraform's language; no name of AWS has more than these. */
function isPlain(id: string): boolean {
  return /^[\w+=,.@/-]+$/.test(id);
}

/** The names that ended an apply and that an import could go on with; none where it ended otherwise. */
export function findTaken(failure: Failure, error: Error, ids: ImportIds): readonly TakenName[] {
  if (!(error instanceof DeployError) || error.code !== 'TerraformNameTaken') return [];
  const names = failure.diagnostics.filter(meansTaken).flatMap(({ address = '' }) => {
    const id = ids.get(address);
    return id === undefined ? [] : [{ address, id }];
  });
  return [...new Map(names.map((name) => [name.address, name])).values()];
}

const prefix = 'hosted-runner-adoption.';

/**
 * Import blocks beside the configuration, there only while Terraform plans: what they would bring
 * into the state is then judged with everything else of the plan. `terraform import` would have it
 * in the state before anybody has seen its tags.
 */
export async function withImports<Answer>(
  place: Workplace,
  { names, self }: { names: readonly TakenName[]; self: string },
  act: () => Promise<Answer>,
): Promise<Answer> {
  if (names.length === 0) return act();
  const { runnerName, shard } = place.shard;
  const owner = Buffer.from(self).toString('base64url');
  const file = join(place.directory, `${prefix}${runnerName}-${shard}.${owner}.tf`);
  const blocks = names.map(({ address, id }) => `import {\n  to = ${address}\n  id = "${id}"\n}\n`);
  await writeFile(file, blocks.join('\n')).catch((error: Error) => {
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
 * Removes what runs have left that were killed while they planned: of this stack, which one stage at
 * a time works on, and of any other whose run is proven dead.
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
