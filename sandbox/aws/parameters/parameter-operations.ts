import { accountId, arnOf } from '../access/authorization.ts';
import type { Body, OperationCall } from '../operation.ts';
import { AwsRefusal, validationError } from '../refusal.ts';
import type { ParameterTier, ParameterType } from './parameter.ts';
import type { Parameters, ReadParameter } from './parameters.ts';

/**
 * Creates the operations of Parameter Store. Each takes AWS's request and returns AWS's response.
 */
export function parameterOperations(
  parameters: Parameters,
): Readonly<Record<string, (call: OperationCall) => Body>> {
  return {
    GetParameter: ({ body, staleMs }) => ({
      Parameter: describeValue(
        parameters.read(text(body['Name']), staleMs),
        body['WithDecryption'],
      ),
    }),
    GetParameters: (call) => getSeveral(parameters, call),
    GetParametersByPath: (call) => getByPath(parameters, call),
    GetParameterHistory: ({ body, staleMs }) => {
      const { page, next } = pageOf(parameters.history(text(body['Name']), staleMs), body, 50);
      // AWS guarantees no order within a page.
      const described = page.toReversed().map((read) => ({
        ...describeMetadata(read),
        Value: contentOf(read, body['WithDecryption']),
        Labels: read.labels,
      }));
      return { Parameters: described, ...next };
    },
    DescribeParameters: (call) => describeSeveral(parameters, call),
    PutParameter: ({ body }) => putOne(parameters, body),
    DeleteParameter: ({ body }) => {
      parameters.remove(text(body['Name']));
      return {};
    },
    LabelParameterVersion: ({ body }) => ({
      InvalidLabels: [],
      ParameterVersion: parameters.label(
        text(body['Name']),
        body['ParameterVersion'] as number | undefined,
        body['Labels'] as string[],
      ),
    }),
    AddTagsToResource: ({ body }) => {
      parameters.tag(text(body['ResourceId']), tagsOf(body['Tags']) ?? {});
      return {};
    },
  };
}

function getSeveral(parameters: Parameters, { body, staleMs }: OperationCall): Body {
  const names = body['Names'] as string[];
  if (new Set(names).size < names.length)
    throw validationError('Duplicate parameter names are not allowed in a request.');
  const found: Body[] = [];
  const missing: string[] = [];
  for (const name of names) {
    try {
      found.push(describeValue(parameters.read(name, staleMs), body['WithDecryption']));
    } catch (error) {
      if (!(error instanceof AwsRefusal) || !error.code.endsWith('NotFound')) throw error;
      missing.push(name);
    }
  }
  return { Parameters: found, InvalidParameters: missing };
}

function getByPath(parameters: Parameters, { body, staleMs }: OperationCall): Body {
  const path = text(body['Path']);
  if (!path.startsWith('/')) {
    throw validationError('The parameter path must start with a slash.');
  }
  const prefix = path.endsWith('/') ? path : `${path}/`;
  const below = parameters.list(staleMs).filter(({ parameter: { name } }) => {
    if (!name.startsWith(prefix)) return false;
    return body['Recursive'] === true || !name.slice(prefix.length).includes('/');
  });
  const { page, next } = pageOf(below, body, 10);
  return { Parameters: page.map((read) => describeValue(read, body['WithDecryption'])), ...next };
}

function describeSeveral(parameters: Parameters, { body, staleMs }: OperationCall): Body {
  const filters = (body['ParameterFilters'] ?? []) as {
    Key: string;
    Option?: string;
    Values?: string[];
  }[];
  const chosen = parameters.list(staleMs).filter(({ parameter: { name } }) =>
    filters.every(({ Key, Option, Values = [] }) => {
      if (Key === 'Path') return Values.some((path) => name.startsWith(path.replace(/\/?$/, '/')));
      if (Key !== 'Name') return true;
      return Values.some((value) =>
        Option === 'BeginsWith' ? name.startsWith(value) : name === value,
      );
    }),
  );
  const { page, next } = pageOf(chosen, body, 50);
  return { Parameters: page.map((read) => describeMetadata(read)), ...next };
}

function putOne(parameters: Parameters, body: Body): Body {
  const version = parameters.put({
    name: text(body['Name']),
    value: body['Value'] as string,
    overwrite: body['Overwrite'] === true,
    type: body['Type'] as ParameterType | undefined,
    tier: body['Tier'] as ParameterTier | undefined,
    description: body['Description'] as string | undefined,
    allowedPattern: body['AllowedPattern'] as string | undefined,
    keyId: body['KeyId'] as string | undefined,
    tags: tagsOf(body['Tags']),
  });
  return {
    Version: version,
    Tier: parameters.read(text(body['Name'])).parameter.tier ?? 'Standard',
  };
}

function describeValue(read: ReadParameter, withDecryption: unknown): Body {
  return {
    Name: read.parameter.name,
    Type: read.parameter.type,
    Value: contentOf(read, withDecryption),
    Version: read.version,
    LastModifiedDate: read.modifiedAtMs / 1000,
    ARN: arnOf(`parameter${read.parameter.name.replace(/^\/?/, '/')}`),
    DataType: 'text',
    ...(read.selector === undefined ? {} : { Selector: `:${read.selector}` }),
  };
}

function describeMetadata({ parameter, version, modifiedAtMs }: ReadParameter): Body {
  return {
    Name: parameter.name,
    Type: parameter.type,
    Version: version,
    LastModifiedDate: modifiedAtMs / 1000,
    LastModifiedUser: `arn:aws:iam::${accountId}:user/sandbox`,
    Tier: parameter.tier ?? 'Standard',
    Policies: [],
    DataType: 'text',
    ...(parameter.description === undefined ? {} : { Description: parameter.description }),
    ...(parameter.allowedPattern === undefined ? {} : { AllowedPattern: parameter.allowedPattern }),
  };
}

function contentOf(read: ReadParameter, withDecryption: unknown): string {
  return withDecryption === true ? read.value() : (read.sealed ?? read.value());
}

function pageOf<T>(
  all: readonly T[],
  body: Body,
  limit: number,
): { page: readonly T[]; next: Body } {
  const size = Number(body['MaxResults'] ?? limit);
  const start = Number(body['NextToken'] ?? 0);
  const end = start + size;
  return { page: all.slice(start, end), next: end < all.length ? { NextToken: String(end) } : {} };
}

function tagsOf(tags: unknown): Record<string, string> | undefined {
  if (!Array.isArray(tags)) return undefined;
  return Object.fromEntries(
    (tags as { Key: string; Value: string }[]).map(({ Key, Value }) => [Key, Value]),
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
