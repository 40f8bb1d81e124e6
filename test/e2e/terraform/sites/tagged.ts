import type { Moto } from '../../../terraform/moto.ts';

/** Name of every resource in the reference module. */
const ownName = /(pink|purple)-linux(?=[_<])/;

interface Found {
  readonly what: string;
  readonly shard: string;
}

/**
 * Lists everything of the stack in the emulator: each shard once, and the rest without a shard.
 */
export async function builtAt(
  moto: Moto,
  complete: readonly string[],
): Promise<{ shards: string[]; strays: string[] }> {
  const found = await everythingAt(moto);
  const shards = [...new Set(found.map(({ shard }) => shard))].sort();
  const strays = shards.flatMap((shard) =>
    complete.flatMap((what) => {
      const count = found.filter((one) => one.shard === shard && one.what === what).length;
      return count === 1 ? [] : [`${shard} has ${count} of ${what}`];
    }),
  );
  return {
    shards: shards.map((shard) => `linux/${shard}`),
    strays: [...strays, ...(await locks(moto))],
  };
}

export async function everythingAt(moto: Moto): Promise<Found[]> {
  const running = { 'Filter.1.Name': 'instance-state-name', 'Filter.1.Value.1': 'running' };
  // The emulator writes an instance's id after its tags. A reservation has one instance here.
  const answers = [
    ['instance', await moto.ec2('DescribeInstances', running), '<reservationId>'],
    ['security group', await moto.ec2('DescribeSecurityGroups'), '<groupName>'],
    ['volume', await moto.ec2('DescribeVolumes'), '<tagSet>'],
    ['role', await moto.iam('ListRoles'), '<RoleName>'],
    ['instance profile', await moto.iam('ListInstanceProfiles'), '<InstanceProfileName>'],
    ['log group', await moto.logGroups(), '<name>'],
  ] as const;
  return answers.flatMap(([what, text, opening]) =>
    partsOf(text, opening).flatMap((part) => {
      const shard = ownName.exec(part)?.[1];
      return shard === undefined ? [] : [{ what, shard }];
    }),
  );
}

/** Splits a list into its entries. Names occur several times and are deduplicated. */
function partsOf(text: string, opening: string): string[] {
  const parts = text.split(opening).slice(1);
  return opening.endsWith('ame>')
    ? [...new Set(parts.map((part) => part.replace(/<[\s\S]*/, '<')))]
    : parts;
}

async function locks(moto: Moto): Promise<string[]> {
  const keys = await moto.list('states');
  return keys.filter((key) => key.endsWith('.tflock')).map((key) => `${key} is locked`);
}
