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
  /** Patterns of the names that roles and instance profiles of a shard have. */
  readonly roleNames: readonly string[];
}

/** AWS lists neither roles nor instance profiles by their tags, so that they are asked for by name. */
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
      // IAM leaves them out where there are none.
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

/** It is not deleted while it holds a role. */
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

/** It is not deleted while it has policies, and is not stripped of them while a profile holds it. */
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

/** A list that is missing is not an empty one; where the role or profile itself is gone, nothing is left. */
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

/** `arn:aws:iam::111122223333:role/pink-linux_runner-manager` */
function nameOf(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1);
}

async function read<T>(
  iam: Iam,
  what: string,
  call: (client: IAM) => Promise<T>,
): Promise<T | undefined> {
  const answer = await iam.ask({ what, effect: 'read', call, answers: ['NoSuchEntityException'] });
  return answer.kind === 'answer' ? answer.value : undefined;
}

/** A role has twenty policies at most, and a list of IAM's a hundred entries. */
async function readWhole<T extends { IsTruncated?: boolean | undefined }>(
  iam: Iam,
  what: string,
  call: (client: IAM) => Promise<T>,
): Promise<T | undefined> {
  const answer = await read(iam, what, call);
  if (answer?.IsTruncated === true)
    throw iam.unexpected({ what, detail: 'the list is not whole', effect: 'read' });
  return answer;
}

async function write(
  iam: Iam,
  what: string,
  call: (client: IAM) => Promise<object>,
): Promise<boolean> {
  const answer = await iam.ask({ what, effect: 'write', call, answers: ['NoSuchEntityException'] });
  return answer.kind === 'answer';
}
