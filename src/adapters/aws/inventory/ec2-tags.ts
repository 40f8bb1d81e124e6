import type { EC2, TagDescription } from '@aws-sdk/client-ec2';
import { lacking } from '../aws-client.ts';
import { readAwsPages } from '../pages.ts';
import type { Ec2 } from '../services.ts';
import { literally } from './ec2-instances.ts';

/** Returns the types of all resources with this tag, by id. */
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
    throw lacking(ec2, `DescribeTags ${key}=${value}`, 'a tag that was not requested');
  const exact = tags.filter((tag) => tag.Value === value);
  return new Map(exact.map(({ ResourceId: id = '', ResourceType: type }) => [id, String(type)]));
}

/** EC2's limit for the values of a filter. */
const mostIds = 200;

/** Returns the Name tags by id. */
export async function namesOf(
  ec2: Ec2,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (let from = 0; from < ids.length; from += mostIds) {
    const tags = await readTags(ec2, 'Name', [
      { Name: 'key', Values: ['Name'] },
      { Name: 'resource-id', Values: ids.slice(from, from + mostIds) },
    ]);
    for (const { ResourceId: id = '', Value: name = '' } of tags) names.set(id, name);
  }
  return names;
}

async function readTags(
  ec2: Ec2,
  which: string,
  filters: { Name: string; Values: string[] }[],
): Promise<readonly TagDescription[]> {
  const what = `DescribeTags ${which}`;
  const read: TagDescription[] = [];
  const pages = readAwsPages({
    service: ec2,
    what,
    call: (client: EC2, token, options) =>
      client.describeTags({ Filters: filters, MaxResults: 1000, ...token }, options),
  });
  for await (const { Tags: tags } of pages) {
    if (tags === undefined) throw lacking(ec2, what, 'no tagSet');
    if (tags.some(({ ResourceId: id }) => id === undefined))
      throw lacking(ec2, what, 'a tag without a resourceId');
    read.push(...tags);
  }
  return read;
}
