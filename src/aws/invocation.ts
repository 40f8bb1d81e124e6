import type { GetCommandInvocationCommandOutput } from '@aws-sdk/client-ssm';
import type { HostAnswer } from './run-command.ts';

export type InvocationJudgement =
  | HostAnswer
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * What an invocation says. Delivery and execution time out differently: after the first nothing ran
 * on the host, after the second something did and hung.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/monitor-commands.html
 */
export function judgeInvocation(
  invocation: Partial<GetCommandInvocationCommandOutput> | undefined,
  executionSeconds: number,
): InvocationJudgement {
  if (invocation === undefined) {
    return { kind: 'waiting', reason: 'Run Command has shown no invocation of the command' };
  }
  const { Status: status, StatusDetails: details = '' } = invocation;
  // The console writes `Delivery Timed Out`, the API `DeliveryTimedOut`.
  switch (details.replaceAll(' ', '').toLowerCase()) {
    case 'deliverytimedout':
      return undelivered('its agent did not fetch the command within 30s');
    case 'undeliverable':
      return undelivered('Run Command could not deliver the command to its agent');
    case 'executiontimedout':
      return hung(executionSeconds);
    case 'terminated':
      return undelivered('Run Command gave the command up because of other failures');
  }
  switch (status) {
    case 'Success':
    case 'Failed':
      return ended(invocation);
    case 'Pending':
    case 'Delayed':
      return { kind: 'waiting', reason: `its agent has not begun the command (${status})` };
    case 'InProgress':
    case 'Cancelling':
      return { kind: 'waiting', reason: `the command did not end on the host (${status})` };
    case 'TimedOut':
      return hung(executionSeconds);
    case 'Cancelled':
      return { kind: 'lost', reason: 'somebody cancelled the command' };
    default:
      return { kind: 'unknown', reason: `the answer has the Status ${JSON.stringify(status)}` };
  }
}

function ended(invocation: Partial<GetCommandInvocationCommandOutput>): InvocationJudgement {
  const { ResponseCode: code, StandardOutputContent: output } = invocation;
  if (typeof code !== 'number' || typeof output !== 'string') {
    return {
      kind: 'unknown',
      reason: 'the answer has no ResponseCode or no StandardOutputContent',
    };
  }
  return { kind: 'ended', exitCode: code, output, errors: invocation.StandardErrorContent ?? '' };
}

function undelivered(reason: string): InvocationJudgement {
  return { kind: 'undelivered', reason };
}

function hung(executionSeconds: number): InvocationJudgement {
  return {
    kind: 'lost',
    reason: `the command began and did not end within ${executionSeconds}s: the host's disk or docker hangs`,
  };
}
