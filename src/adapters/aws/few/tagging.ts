import type {
  GetResourcesInput,
  GetResourcesOutput,
} from '@aws-sdk/client-resource-groups-tagging-api';
import { type Asked, type AskOptions, clientOptions, createAsked } from '../ask.ts';
import { type FewService, type Operation, openFewClient } from './client.ts';
import { integer, list, operation, structure, text } from './schema.ts';

export interface TaggingClient {
  readonly getResources: Operation<GetResourcesInput, GetResourcesOutput>;
  destroy(): void;
}

export type Tagging = Asked<TaggingClient>;

export function createTagging(options: AskOptions): Tagging {
  return createAsked('Resource Groups Tagging', options, async () => {
    const client = await openFewClient(service, clientOptions(options));
    return { getResources: client.operation(getResources), destroy: client.destroy };
  });
}

const service: FewService = {
  id: 'Resource Groups Tagging API',
  signingName: 'tagging',
  protocol: 'json',
  version: '2017-01-26',
  xmlNamespace: '',
  target: 'ResourceGroupsTaggingAPI_20170126',
  place: (region, suffix) => ({ host: `tagging.${region}.${suffix}` }),
};

// https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_GetResources.html
export const getResources = operation(
  'GetResources',
  structure('GetResourcesInput', {
    PaginationToken: text,
    ResourcesPerPage: integer,
    TagFilters: () => list(structure('TagFilter', { Key: text, Values: () => list(text) })),
  }),
  structure('GetResourcesOutput', {
    PaginationToken: text,
    ResourceTagMappingList: () =>
      list(
        structure('ResourceTagMapping', {
          ResourceARN: text,
          Tags: () => list(structure('Tag', { Key: text, Value: text })),
        }),
      ),
  }),
);
