import type { GetCommandInvocationCommandOutput } from '@aws-sdk/client-ssm';
import type { Clock } from '../../../ports/clock.ts';
import { PortFailure } from '../../../ports/failure.ts';
import type { Log } from '../../../ports/log-event.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import { type SlowResponseNotice, slowAfterMs } from '../../transport/slow-response-notice.ts';
import { oneLine } from '../line-text.ts';
import type { Ssm } from '../services.ts';
import type { Check } from './check-document.ts';
import { type HostAnswer, hasInvocationBegun, judgeInvocation } from './invocation.ts';
import type { RunningOrder, RunningOrders } from './order-list.ts';

export interface RunCommand {
  /** Runs one script on one host and waits for its end. */
  run(order: HostOrder): Promise<HostAnswer>;
}

export interface HostOrder {
  readonly hostId: string;
  readonly script: string;
  /** Check that the check document runs instead of the script, if there is a document. */
  readonly check?: CheckOrder;
  /** Comment of at most 100 characters, shown in the AWS console. */
  readonly comment: string;
  readonly executionSeconds: number;
  /**
   * Limit for the wait. The script may run longer. Absent: the wait ends when no result can arrive
   * any more.
   */
  readonly withinMs?: number;
  /** `read`: the order is sent again after a lost response. `write`: it is not. */
  readonly effect: 'read' | 'write';
}

export interface CheckOrder {
  readonly name: Check;
  /** Name of the volume and the container, for a probe. */
  readonly id?: string;
  /** Longest wait on the host, for the check `look`. */
  readonly waitSeconds?: number;
}

/** Document named by `host.document`, with its required content. */
export interface CheckDocument {
  readonly name: string;
  readonly sha256: string;
  /** Runner whose configuration produces the content. */
  readonly runner: string;
}

// The minimum of AWS. After it, an order that was not fetched never runs.
const deliverySeconds = 30;
const graceSeconds = 15;
const pollsMs = { first: 600, longest: 2000 };
/**
 * Poll interval for a script that waits on its host: its end is the result that the caller waits
 * for.
 */
const pollsOfWaitMs = { first: 600, longest: 800 };

export interface RunCommandOptions {
  readonly ssm: Ssm;
  readonly clock: Clock;
  /** Reports to the operator which host is slow. */
  readonly slowNotice?: SlowResponseNotice | undefined;
  readonly log?: Pick<Log, 'event'> | undefined;
  /** Absent: every order is sent as AWS-RunShellScript. */
  readonly document?: CheckDocument | undefined;
  /** Orders of all stacks of this process. Absent: each order is read separately. */
  readonly running?: RunningOrders | undefined;
}

export function createRunCommand(options: RunCommandOptions): RunCommand {
  return {
    async run(order) {
      const sentAt = options.clock.now();
      const sent = await send(options, order);
      if (sent.kind === 'undelivered') return sent;
      const own = { commandId: sent.commandId, hostId: order.hostId, sentAt };
      try {
        return await follow({ ...options, order, own });
      } finally {
        options.running?.remove(own);
      }
    },
  };
}

async function send(
  { ssm, document }: RunCommandOptions,
  order: HostOrder,
): Promise<{ kind: 'sent'; commandId: string } | Extract<HostAnswer, { kind: 'undelivered' }>> {
  const { hostId, comment, effect, check } = order;
  const what = `SendCommand ${hostId}`;
  const sent = document === undefined || check === undefined ? undefined : { document, check };
  const answer = await ssm.send({
    what,
    effect,
    call: (client) =>
      client.sendCommand({
        ...(sent === undefined ? ofShell(order) : ofDocument(order, sent)),
        InstanceIds: [hostId],
        TimeoutSeconds: deliverySeconds,
        Comment: comment.slice(0, 100),
      }),
    answers: ['InvalidInstanceId', ...(sent === undefined ? [] : documentRefusals)],
  });
  if (answer.kind === 'refusal' && sent !== undefined && answer.name !== 'InvalidInstanceId') {
    const detail = oneLine(`${answer.name}: ${answer.message}`);
    throw documentRefused(sent.document, what, detail);
  }
  if (answer.kind === 'refusal') {
    return {
      kind: 'undelivered',
      reason: `Systems Manager cannot send commands to ${hostId} (InvalidInstanceId): its agent is not registered, it is terminated, or the role lacks the permission`,
    };
  }
  const commandId = answer.value.Command?.CommandId;
  if (commandId !== undefined && /^[0-9a-f-]{36}$/.test(commandId))
    return { kind: 'sent', commandId };
  throw ssm.unexpected({ what, detail: 'the response has no CommandId', effect });
}

function ofShell({ script, executionSeconds }: HostOrder) {
  return {
    DocumentName: 'AWS-RunShellScript',
    Parameters: {
      commands: script.split('\n'),
      executionTimeout: [String(executionSeconds)],
    },
  };
}

interface SentCheck {
  readonly document: CheckDocument;
  readonly check: CheckOrder;
}

/**
 * Requests the newest version, which makes an update of the document one step. The hash pins its
 * content.
 */
function ofDocument({ executionSeconds }: HostOrder, { document, check }: SentCheck) {
  return {
    DocumentName: document.name,
    DocumentVersion: '$LATEST',
    DocumentHash: document.sha256,
    DocumentHashType: 'Sha256' as const,
    Parameters: {
      check: [check.name],
      ...(check.id === undefined ? {} : { id: [check.id] }),
      ...(check.waitSeconds ? { wait: [String(check.waitSeconds)] } : {}),
      executionTimeout: [String(executionSeconds)],
    },
  };
}

/**
 * Errors about the document. InvalidDocument means that the name does not exist or the hash differs
 * ("document hash … does not match Sha256."). The parameters of another release may also differ.
 * https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_SendCommand.html
 */
const documentRefusals = ['InvalidDocument', 'InvalidDocumentVersion', 'InvalidParameters'];

function documentRefused({ name, runner }: CheckDocument, what: string, detail: string): Error {
  return new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: `SSM ${what}`,
    detail,
    refusedDocument: { name, runner },
  });
}

interface Followed extends RunCommandOptions {
  readonly order: HostOrder;
  readonly own: RunningOrder;
}

async function follow(followed: Followed): Promise<HostAnswer> {
  const { ssm, clock, order } = followed;
  const wholeLimitMs = (deliverySeconds + order.executionSeconds + graceSeconds) * 1000;
  const limitMs = Math.min(wholeLimitMs, order.withinMs ?? wholeLimitMs);
  const startedAt = clock.elapsed();
  const waitMs = (order.check?.waitSeconds ?? 0) * 1000;
  const { first, longest } = waitMs > 0 ? pollsOfWaitMs : pollsMs;
  const cadence = { pollMs: longest, fineMs: first };
  const wholeMs = (deliverySeconds + order.executionSeconds) * 1000;
  let hasRun = false;
  return pollUntil({ clock, cadence }, async (polls) => {
    // A command is unknown for a moment after it was sent, so the first check reads nothing.
    if (polls === 1) return pending({ kind: 'fresh', polls: 0 });
    // The last check of an order, and every check before it has begun, reads the order itself.
    const mayBeListed = hasRun && clock.elapsed() - startedAt < limitMs;
    const invocation = await findInvocation(followed, mayBeListed);
    hasRun ||= invocation !== undefined && hasInvocationBegun(invocation);
    const isExpired = order.effect === 'write' && clock.elapsed() - startedAt >= wholeMs;
    const verdict = judgeInvocation(invocation, {
      executionSeconds: order.executionSeconds,
      mayHaveBegun: hasRun || isExpired,
    });
    if (verdict.kind === 'unknown') {
      throw ssm.unexpected({
        what: `GetCommandInvocation ${order.hostId}`,
        detail: verdict.reason,
        effect: order.effect,
      });
    }
    if (verdict.kind !== 'waiting') return done(verdict);
    const isSlow = clock.elapsed() - startedAt >= slowAfterMs + (hasRun ? waitMs : 0);
    // A script with an effect may be slow once it has begun.
    if (isSlow && !(hasRun && order.effect === 'write')) reportUnresponsive(followed, limitMs);
    if (clock.elapsed() - startedAt >= limitMs) {
      const limit = `${limitMs / 1000}s`;
      const reason =
        order.withinMs === undefined
          ? `${verdict.reason} for ${limit}`
          : `it has not responded within ${limit}: ${verdict.reason}`;
      return done({ kind: 'lost', reason });
    }
    return pending({ kind: 'fresh', polls: polls - 1 });
  });
}

function reportUnresponsive({ slowNotice, log, order }: Followed, mostMs: number): void {
  slowNotice?.report(`Host ${order.hostId} (Run Command)`, { mostMs, log });
}

async function findInvocation(
  { ssm, running, own, order: { hostId, effect } }: Followed,
  mayBeListed: boolean,
): Promise<Partial<GetCommandInvocationCommandOutput> | undefined> {
  if (mayBeListed && (await running?.isListed(own, ssm)) === true) return { Status: 'InProgress' };
  const what = `GetCommandInvocation ${hostId}`;
  try {
    const answer = await ssm.send({
      what,
      effect: 'read',
      call: (client, options) =>
        client.getCommandInvocation({ CommandId: own.commandId, InstanceId: hostId }, options),
      // Normal right after the command was sent: the service is eventually consistent.
      answers: ['InvocationDoesNotExist'],
    });
    return answer.kind === 'refusal' ? undefined : answer.value;
  } catch (error) {
    // The read had no effect, but the order itself may have had one.
    if (!(error instanceof PortFailure) || effect === 'read') throw error;
    throw new PortFailure({ ...error, effect: 'unknown' });
  }
}
