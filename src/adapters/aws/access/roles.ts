import type { IAM } from '@aws-sdk/client-iam';
import type { TaggedResource } from '../../../domain/plan/aws-resource.ts';
import type { StackShard } from '../../../domain/shard.ts';
import { fillAll } from '../../../domain/text/placeholders.ts';
import { lacking } from '../aws-client.ts';
import { isTaggedAs, isWhole, type TagKeys, toTags } from '../inventory/tag-match.ts';
import type { Iam } from '../services.ts';

export interface RoleOptions {
  readonly iam: Iam;
  readonly keys: TagKeys;
  /** Name patterns of a shard's roles and instance profiles. */
  readonly roleNames: readonly string[];
}

/** Lists a shard's roles and instance profiles by name, because AWS cannot list them by tag. */
export async function listRoles(
  options: RoleOptions,
  shard: StackShard,
): Promise<readonly TaggedResource[]> {
  const found: TaggedResource[] = [];
  for (const name of fillAll(options.roleNames, shard)) {
    const profile = await findProfile(options.iam, name);
    const role = await findRole(options.iam, name);
    for (const [kind, one] of [
      ['instance_profile', profile],
      ['role', role],
    ] as const) {
      if (one === undefined) continue;
      const { Arn: arn, Tags: given } = one;
      if (arn === undefined || !isWhole(given))
        throw lacking(
          options.iam,
          `the ${kind.replace('_', ' ')} ${name}`,
          'no Arn or a tag without its key or value',
        );
      // IAM omits an empty list of tags.
      const tags = toTags(given);
      if (!isTaggedAs(tags, options.keys, shard)) continue;
      const { Name: label } = tags;
      found.push({ kind, id: arn, ...(label === undefined ? {} : { name: label }) });
    }
  }
  return found;
}

async function findRole(iam: Iam, name: string) {
  const what = `GetRole ${name}`;
  const answer = await read(iam, what, (client) => client.getRole({ RoleName: name }));
  if (answer !== undefined && answer.Role === undefined) throw lacking(iam, what, 'no Role');
  return answer?.Role;
}

async function findProfile(iam: Iam, name: string) {
  const what = `GetInstanceProfile ${name}`;
  const answer = await read(iam, what, (client) =>
    client.getInstanceProfile({ InstanceProfileName: name }),
  );
  if (answer !== undefined && answer.InstanceProfile === undefined)
    throw lacking(iam, what, 'no InstanceProfile');
  return answer?.InstanceProfile;
}

/**
 * Removes an instance profile, after its roles: IAM refuses to delete a profile that holds a role.
 */
export async function removeProfile(iam: Iam, { id }: TaggedResource): Promise<boolean> {
  const name = nameOf(id);
  const profile = await findProfile(iam, name);
  for (const role of namesIn(iam, `GetInstanceProfile ${name}`, {
    held: profile,
    list: profile?.Roles?.map(({ RoleName }) => RoleName),
  })) {
    await write(iam, `RemoveRoleFromInstanceProfile ${name}`, (client) =>
      client.removeRoleFromInstanceProfile({ InstanceProfileName: name, RoleName: role }),
    );
  }
  return write(iam, `DeleteInstanceProfile ${name}`, (client) =>
    client.deleteInstanceProfile({ InstanceProfileName: name }),
  );
}

/**
 * Removes a role, after its policies: IAM refuses to delete a role that has policies. If an
 * instance profile holds the role, it keeps its policies and the removal is refused.
 */
export async function removeRole(iam: Iam, { id }: TaggedResource): Promise<boolean> {
  const RoleName = nameOf(id);
  const profiles = await readWhole(iam, `ListInstanceProfilesForRole ${RoleName}`, (client) =>
    client.listInstanceProfilesForRole({ RoleName }),
  );
  const [holder] = namesIn(iam, `ListInstanceProfilesForRole ${RoleName}`, {
    held: profiles,
    list: profiles?.InstanceProfiles?.map(({ InstanceProfileName }) => InstanceProfileName),
  });
  if (holder !== undefined)
    throw iam.refused(`DeleteRole ${RoleName}`, `the instance profile ${holder} holds it`);
  const attached = await readWhole(iam, `ListAttachedRolePolicies ${RoleName}`, (client) =>
    client.listAttachedRolePolicies({ RoleName }),
  );
  for (const PolicyArn of namesIn(iam, `ListAttachedRolePolicies ${RoleName}`, {
    held: attached,
    list: attached?.AttachedPolicies?.map((policy) => policy.PolicyArn),
  })) {
    await write(iam, `DetachRolePolicy ${RoleName} ${PolicyArn}`, (client) =>
      client.detachRolePolicy({ RoleName, PolicyArn }),
    );
  }
  const inline = await readWhole(iam, `ListRolePolicies ${RoleName}`, (client) =>
    client.listRolePolicies({ RoleName }),
  );
  for (const PolicyName of namesIn(iam, `ListRolePolicies ${RoleName}`, {
    held: inline,
    list: inline?.PolicyNames,
  })) {
    await write(iam, `DeleteRolePolicy ${RoleName} ${PolicyName}`, (client) =>
      client.deleteRolePolicy({ RoleName, PolicyName }),
    );
  }
  return write(iam, `DeleteRole ${RoleName}`, (client) => client.deleteRole({ RoleName }));
}

/**
 * Reads names from a list. A missing list is an error, unless the role or profile itself is gone.
 */
function namesIn(
  iam: Iam,
  what: string,
  { held, list }: { held: object | undefined; list: readonly (string | undefined)[] | undefined },
): readonly string[] {
  if (held === undefined) return [];
  const names = (list ?? []).filter((name) => name !== undefined);
  if (list === undefined || names.length < list.length)
    throw lacking(iam, what, 'no list of names');
  return names;
}

/** Reads the name from `arn:aws:iam::111122223333:role/pink-linux_runner-manager`. */
function nameOf(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1);
}

async function read<T>(
  iam: Iam,
  what: string,
  call: (client: IAM) => Promise<T>,
): Promise<T | undefined> {
  const answer = await iam.send({ what, effect: 'read', call, answers: ['NoSuchEntityException'] });
  return answer.kind === 'answer' ? answer.value : undefined;
}

/**
 * Reads a list in one call. A role has at most twenty policies, and IAM returns a hundred entries.
 */
async function readWhole<T extends { IsTruncated?: boolean | undefined }>(
  iam: Iam,
  what: string,
  call: (client: IAM) => Promise<T>,
): Promise<T | undefined> {
  const answer = await read(iam, what, call);
  if (answer?.IsTruncated === true)
    throw iam.unexpected({ what, detail: 'the list is incomplete', effect: 'read' });
  return answer;
}

async function write(
  iam: Iam,
  what: string,
  call: (client: IAM) => Promise<object>,
): Promise<boolean> {
  const answer = await iam.send({
    what,
    effect: 'write',
    call,
    answers: ['NoSuchEntityException'],
  });
  return answer.kind === 'answer';
}
