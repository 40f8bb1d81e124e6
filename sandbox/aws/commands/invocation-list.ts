import type { Body } from '../operation.ts';
import { AwsRefusal, validationError } from '../refusal.ts';
import { type Commands, type Invocation, isOver } from './commands.ts';

/**
 * Times in milliseconds. ListCommandInvocations may show a command later than a read of the
 * command.
 */
interface Place {
  readonly commands: Commands;
  readonly listedAfterMs: number;
  now(): number;
}

/** Lists invocations, newest first, at most 50 per page. */
export function listInvocations({ commands, listedAfterMs, now }: Place, body: Body): Body {
  const size = Number(body['MaxResults'] ?? 50);
  const filters = (body['Filters'] ?? []) as { key: string; value: string }[];
  const passes = filters.map(filterOf);
  const listed = commands
    .list(body['CommandId'] as string | undefined, body['InstanceId'] as string | undefined)
    .filter((own) => own.requestedAtMs <= now() - listedAfterMs)
    .filter((own) => passes.every((admits) => admits(own)))
    .reverse();
  const start = startOf(body['NextToken']);
  return {
    CommandInvocations: listed
      .slice(start, start + size)
      .map((own) => describeInvocation(own, body['Details'] === true)),
    ...(start + size < listed.length ? { NextToken: `page-from-${start + size}` } : {}),
  };
}

function startOf(token: unknown): number {
  if (token === undefined) return 0;
  const start = /^page-from-(\d+)$/.exec(String(token))?.[1];
  if (start === undefined) throw new AwsRefusal('InvalidNextToken', 'The token is not valid.');
  return Number(start);
}

/** https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CommandFilter.html */
function filterOf({ key, value }: { key: string; value: string }): (own: Invocation) => boolean {
  switch (key) {
    case 'InvokedAfter':
      return isSince(timeOf(value));
    case 'InvokedBefore':
      return isBefore(timeOf(value));
    case 'Status':
      return ({ status, details }) => status === value || details === value;
    case 'DocumentName':
      return ({ request }) => request.documentName === value;
    default:
      throw new AwsRefusal('InvalidFilterKey', 'The specified key is not valid.');
  }
}

function isSince(fromMs: number): (own: Invocation) => boolean {
  return ({ requestedAtMs }) => requestedAtMs >= fromMs;
}

function isBefore(untilMs: number): (own: Invocation) => boolean {
  return ({ requestedAtMs }) => requestedAtMs < untilMs;
}

function timeOf(text: string): number {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return Date.parse(text);
  throw validationError(`InvokedAfter and InvokedBefore take a time such as 2026-11-02T08:00:00Z`);
}

function describeInvocation(invocation: Invocation, withDetails: boolean): Body {
  const { commandId, instanceId, request, requestedAtMs, status, details } = invocation;
  const plugin = {
    Name: 'aws:runShellScript',
    Status: status,
    StatusDetails: details,
    ResponseCode: invocation.responseCode,
    Output: isOver(invocation) ? `${invocation.out}${invocation.err}`.slice(0, 2500) : '',
  };
  return {
    CommandId: commandId,
    InstanceId: instanceId,
    DocumentName: request.documentName,
    Comment: request.comment,
    RequestedDateTime: requestedAtMs / 1000,
    Status: status,
    StatusDetails: details,
    CommandPlugins: withDetails ? [plugin] : [],
  };
}
