import type { TagDescription } from '@aws-sdk/client-ec2';
import type { PortFailure } from '../../../ports/failure.ts';
import type { Ec2, Ec2Client } from '../few/ec2.ts';
import { readPages } from '../pages.ts';
import { literally } from './instances.ts';

/** What carries this tag: types by id. */
export async function resourcesWithTag(
  ec2: Ec2,
  key: string,
  value: string,
): Promise<ReadonlyMap<string, string>> {
  const tags = await readTags(ec2, `${key}=${value}`, [
    { Name: 'key', Values: [literally(key)] },
    { Name: 'value', Values: [literally(value)] },
  ]);
  if (tags.some((tag) => tag.Key !== key || tag.Value === undefined))
    throw refuse(ec2, `${key}=${value}`, 'a tag that was not asked for');
  const exact = tags.filter((tag) => tag.Value === value);
  return new Map(exact.map(({ ResourceId: id = '', ResourceType: type }) => [id, String(type)]));
}

/** Name tags by id. A filter of EC2 has two hundred values at most; what has no name here is only told without it. */
export async function namesOf(
  ec2: Ec2,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const tags = await readTags(ec2, 'Name', [
    { Name: 'key', Values: ['Name'] },
    { Name: 'resource-id', Values: ids.slice(0, 200) },
  ]);
  return new Map(tags.map(({ ResourceId: id = '', Value: name = '' }) => [id, name]));
}

async function readTags(
  ec2: Ec2,
  which: string,
  filters: { Name: string; Values: string[] }[],
): Promise<readonly TagDescription[]> {
  const read: TagDescription[] = [];
  const pages = readPages({
    service: ec2,
    what: `DescribeTags ${which}`,
    call: (client: Ec2Client, token, options) =>
      client.describeTags({ Filters: filters, MaxResults: 1000, ...token }, options),
  });
  for await (const { Tags: tags } of pages) {
    if (tags === undefined) throw refuse(ec2, which, 'no tagSet');
    if (tags.some(({ ResourceId: id }) => id === undefined))
      throw refuse(ec2, which, 'a tag without a resourceId');
    read.push(...tags);
  }
  return read;
}

function refuse(ec2: Ec2, which: string, missing: string): PortFailure {
  const detail = `the answer has ${missing}`;
  return ec2.unexpected({ what: `DescribeTags ${which}`, detail, effect: 'read' });
}
