import type { Fleet } from '../../hosts/fleet.ts';
import { accountId, region } from '../access/authorization.ts';
import type { Body, OperationCall } from '../operation.ts';
import type { Leftovers } from './leftovers.ts';

/** Page size. AWS may return fewer items than requested, and the sandbox does. */
const mostOnAPage = 5;

/** Creates the query for all tagged resources. As in AWS, it includes terminated machines. */
export function taggingOperations(world: {
  readonly fleet: Fleet;
  readonly leftovers: Leftovers;
}): Readonly<Record<string, (call: OperationCall) => Body>> {
  return {
    GetResources: ({ body }) => {
      const filters = (body['TagFilters'] ?? []) as TagFilter[];
      const tagged = [
        ...world.fleet.list().map(({ id, tags }) => ({ arn: ec2Arn('instance', id), tags })),
        ...world.leftovers
          .list()
          .filter(isListed)
          .map(({ type, id, tags }) => ({
            arn: id.startsWith('arn:') ? id : ec2Arn(type, id),
            tags,
          })),
      ];
      const found = tagged.filter(({ tags }) =>
        filters.every(({ Key, Values = [] }) => Values.includes(tags[Key] ?? '')),
      );
      const start = Number(body['PaginationToken'] ?? 0);
      const end = start + mostOnAPage;
      return {
        PaginationToken: end < found.length ? String(end) : '',
        ResourceTagMappingList: found.slice(start, end).map(({ arn, tags }) => ({
          ResourceARN: arn,
          Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
        })),
      };
    },
  };
}

/** Excludes roles, which have tags but are not found by them. */
function isListed({ id }: { id: string }): boolean {
  return !/^arn:aws:iam:/.test(id);
}

interface TagFilter {
  readonly Key: string;
  readonly Values?: readonly string[];
}

function ec2Arn(type: string, id: string): string {
  return `arn:aws:ec2:${region}:${accountId}:${type}/${id}`;
}
