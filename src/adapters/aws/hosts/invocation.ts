import type { GetCommandInvocationCommandOutput } from '@aws-sdk/client-ssm';

export type HostAnswer =
  | {
      readonly kind: 'ended';
      readonly exitCode: number;
      readonly output: string;
      readonly errors: string;
    }
  /** Systems Manager knows no such host, or knows it and gets no word from its agent. */
  | { readonly kind: 'undelivered'; readonly reason: string }
  /** It began, or may have begun, and nobody knows how it ended. */
  | { readonly kind: 'lost'; readonly reason: string };

export type InvocationVerdict =
  | HostAnswer
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * What an invocation says. Delivery and execution time out differently: after the first nothing ran
 * on the host, after the second something did and hung. A command that expires is called not delivered
 * as well, also one that was in progress when its agent died.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/monitor-commands.html
 */
export function judgeInvocation(
  invocation: Partial<GetCommandInvocationCommandOutput> | undefined,
  { executionSeconds, mayHaveBegun }: { executionSeconds: number; mayHaveBegun: boolean },
): InvocationVerdict {
  if (invocation === undefined) {
    return { kind: 'waiting', reason: 'Run Command has shown no invocation of the command' };
  }
  const { Status: status, StatusDetails: details = '' } = invocation;
  // The console writes `Delivery Timed Out`, the API `DeliveryTimedOut`.
  switch (details.replaceAll(' ', '').toLowerCase()) {
    case 'deliverytimedout':
      return mayHaveBegun || hasInvocationBegun(invocation)
        ? { kind: 'lost', reason: 'its agent fell silent, and the command may have begun' }
        : undelivered('its agent did not fetch the command in time');
    case 'undeliverable':
      return undelivered('Run Command could not deliver the command to its agent');
    case 'executiontimedout':
      return cutOff(invocation, executionSeconds);
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
      return cutOff(invocation, executionSeconds);
    case 'Cancelled':
      return { kind: 'lost', reason: 'somebody cancelled the command' };
    default:
      return { kind: 'unknown', reason: `the answer has the Status ${JSON.stringify(status)}` };
  }
}

/** Minus one is the code of what has not begun, and then no time stands beside it. */
export function hasInvocationBegun(
  invocation: Partial<GetCommandInvocationCommandOutput>,
): boolean {
  const { Status: status, ResponseCode: code = -1, ExecutionStartDateTime: began } = invocation;
  return status === 'InProgress' || status === 'Cancelling' || code !== -1 || !!began;
}

function ended(invocation: Partial<GetCommandInvocationCommandOutput>): InvocationVerdict {
  const { ResponseCode: code, StandardOutputContent: output } = invocation;
  if (typeof code !== 'number' || typeof output !== 'string') {
    return {
      kind: 'unknown',
      reason: 'the answer has no ResponseCode or no StandardOutputContent',
    };
  }
  return { kind: 'ended', exitCode: code, output, errors: invocation.StandardErrorContent ?? '' };
}

function undelivered(reason: string): InvocationVerdict {
  return { kind: 'undelivered', reason };
}

/**
 * The agent reports TimedOut for each script that ends with 137, also if something else killed it
 * (the kernel for its memory, an operator). Only the elapsed time tells the two apart.
 * https://github.com/aws/amazon-ssm-agent: GetStatus, CommandStoppedPreemptivelyExitCode
 */
function cutOff(
  { ExecutionElapsedTime: elapsed }: Partial<GetCommandInvocationCommandOutput>,
  executionSeconds: number,
): InvocationVerdict {
  const seconds = readSeconds(elapsed);
  const reason =
    seconds !== undefined && seconds < executionSeconds
      ? `the command was killed on the host after ${Math.floor(seconds)}s (SIGKILL, for example by the kernel that ran out of memory)`
      : `the command began and did not end within ${executionSeconds}s: the host's disk or docker hangs`;
  return { kind: 'lost', reason };
}

/** `PT1M3.2S`; undefined where AWS says none. */
function readSeconds(duration = ''): number | undefined {
  const found = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(duration);
  if (found === null || duration === 'PT') return undefined;
  const [, hours = 0, minutes = 0, seconds = 0] = found;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
