import type { GetCommandInvocationCommandOutput } from '@aws-sdk/client-ssm';

export type HostAnswer =
  | {
      readonly kind: 'ended';
      readonly exitCode: number;
      readonly output: string;
      readonly errors: string;
    }
  /** Systems Manager does not know the host, or gets no response from its agent. */
  | { readonly kind: 'undelivered'; readonly reason: string }
  /** The script began, or may have begun, and its end is unknown. */
  | { readonly kind: 'lost'; readonly reason: string };

export type InvocationVerdict =
  | HostAnswer
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Reads the result of an invocation. After a delivery timeout, nothing ran on the host. After an
 * execution timeout, the script ran and hung. An expired command is also called undelivered, even
 * if it was in progress when its agent died.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/monitor-commands.html
 */
export function judgeInvocation(
  invocation: Partial<GetCommandInvocationCommandOutput> | undefined,
  { executionSeconds, mayHaveBegun }: { executionSeconds: number; mayHaveBegun: boolean },
): InvocationVerdict {
  if (invocation === undefined) {
    return { kind: 'waiting', reason: 'Run Command returned no invocation of the command' };
  }
  const { Status: status, StatusDetails: details = '' } = invocation;
  // The console writes `Delivery Timed Out`, the API `DeliveryTimedOut`.
  switch (details.replaceAll(' ', '').toLowerCase()) {
    case 'deliverytimedout':
      return mayHaveBegun || hasInvocationBegun(invocation)
        ? { kind: 'lost', reason: 'its agent stopped responding, and the command may have started' }
        : undelivered('its agent did not fetch the command in time');
    case 'undeliverable':
      return undelivered('Run Command could not deliver the command to its agent');
    case 'executiontimedout':
      return cutOff(invocation, executionSeconds);
    case 'terminated':
      return undelivered('Run Command abandoned the command because of other failures');
  }
  switch (status) {
    case 'Success':
    case 'Failed':
      return ended(invocation);
    case 'Pending':
    case 'Delayed':
      return { kind: 'waiting', reason: `its agent has not started the command (${status})` };
    case 'InProgress':
    case 'Cancelling':
      return { kind: 'waiting', reason: `the command did not end on the host (${status})` };
    case 'TimedOut':
      return cutOff(invocation, executionSeconds);
    case 'Cancelled':
      return { kind: 'lost', reason: 'the command was cancelled outside hosted-runner' };
    default:
      return { kind: 'unknown', reason: `the response has the Status ${JSON.stringify(status)}` };
  }
}

/**
 * Decides whether the script has begun. Before that, the code is -1 and there is no start time.
 */
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
      reason: 'the response has no ResponseCode or no StandardOutputContent',
    };
  }
  return { kind: 'ended', exitCode: code, output, errors: invocation.StandardErrorContent ?? '' };
}

function undelivered(reason: string): InvocationVerdict {
  return { kind: 'undelivered', reason };
}

/**
 * Describes a script that was killed. The agent reports TimedOut for every script with code 137,
 * also if an operator or the kernel killed it (out of memory). Only the elapsed time distinguishes
 * these cases.
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
      : `the command started but did not end within ${executionSeconds}s: the disk or docker of the host hangs`;
  return { kind: 'lost', reason };
}

/** Parses a duration such as `PT1M3.2S`. Undefined if AWS reports none. */
function readSeconds(duration = ''): number | undefined {
  const found = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(duration);
  if (found === null || duration === 'PT') return undefined;
  const [, hours = 0, minutes = 0, seconds = 0] = found;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
