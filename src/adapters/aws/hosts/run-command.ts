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
  /** What the check document runs in place of the script, where there is such a document. */
  readonly check?: CheckOrder;
  /** At most 100 characters; people see it in the AWS console. */
  readonly comment: string;
  readonly executionSeconds: number;
  /** Nobody waits for longer, though the script may; absent: until nothing can come any more. */
  readonly withinMs?: number;
  /** A script that only looks is sent again after a lost answer; one that acts is not. */
  readonly effect: 'read' | 'write';
}

export interface CheckOrder {
  readonly name: Check;
  /** Of a probe: what its volume and its container are named by. */
  readonly id?: string;
  /** Of a look: how long it waits on the host, at most. */
  readonly waitSeconds?: number;
}

/** The document of `host.document`, with the content that it has to have. */
export interface CheckDocument {
  readonly name: string;
  readonly sha256: string;
  /** Whose configuration the content comes from. */
  readonly runner: string;
}

// AWS allows no less. After it an order that was not fetched is never carried out.
const deliverySeconds = 30;
const graceSeconds = 15;
const pollsMs = { first: 600, longest: 2000 };
/** The end of a script that waits on its host is the fact that the caller waits for. */
const pollsOfWaitMs = { first: 600, longest: 800 };

export interface RunCommandOptions {
  readonly ssm: Ssm;
  readonly clock: Clock;
  /** Tells the person at the command which host is waited for. */
  readonly silence?: SlowResponseNotice | undefined;
  readonly log?: Pick<Log, 'event'> | undefined;
  /** Absent: every order is sent as AWS-RunShellScript. */
  readonly document?: CheckDocument | undefined;
  /** Of all stacks of this process; absent: each order is read by itself. */
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
  const answer = await ssm.ask({
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
      reason: `Systems Manager does not know ${hostId} as a host that can be asked (InvalidInstanceId): its agent is not registered, it is terminated, or the role may not send it commands`,
    };
  }
  const commandId = answer.value.Command?.CommandId;
  if (commandId !== undefined && /^[0-9a-f-]{36}$/.test(commandId))
    return { kind: 'sent', commandId };
  throw ssm.unexpected({ what, detail: 'the answer has no CommandId', effect });
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

/** The newest version, so that an update of the document needs no second step; the hash says which content it has. */
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
 * InvalidDocument is the answer to a name that does not exist, and to another hash ("document hash … does not
 * match Sha256."); the parameters of another release may differ too.
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
  return pollUntil({ clock, cadence }, async (looks) => {
    // A command is unknown for a moment after it was sent; nothing is to be learned before.
    if (looks === 1) return pending({ kind: 'fresh', looks: 0 });
    // The last check of an order, and every check before it has begun, reads the order itself.
    const mayBeListed = hasRun && clock.elapsed() - startedAt < limitMs;
    const invocation = await findInvocation(followed, mayBeListed);
    hasRun ||= invocation !== undefined && hasInvocationBegun(invocation);
    const isExpired = order.effect === 'write' && clock.elapsed() - startedAt >= wholeMs;
    const judged = judgeInvocation(invocation, {
      executionSeconds: order.executionSeconds,
      mayHaveBegun: hasRun || isExpired,
    });
    if (judged.kind === 'unknown') {
      throw ssm.unexpected({
        what: `GetCommandInvocation ${order.hostId}`,
        detail: judged.reason,
        effect: order.effect,
      });
    }
    if (judged.kind !== 'waiting') return done(judged);
    const isSilent = clock.elapsed() - startedAt >= slowAfterMs + (hasRun ? waitMs : 0);
    // What acts there may take its time once it has begun.
    if (isSilent && !(hasRun && order.effect === 'write')) reportUnresponsive(followed, limitMs);
    if (clock.elapsed() - startedAt >= limitMs) {
      const limit = `${limitMs / 1000}s`;
      const reason =
        order.withinMs === undefined
          ? `${judged.reason} for ${limit}`
          : `it has not answered within ${limit}: ${judged.reason}`;
      return done({ kind: 'lost', reason });
    }
    return pending({ kind: 'fresh', looks: looks - 1 });
  });
}

function reportUnresponsive({ silence, log, order }: Followed, mostMs: number): void {
  silence?.tell(`Host ${order.hostId}, asked by Run Command,`, { mostMs, log });
}

async function findInvocation(
  { ssm, running, own, order: { hostId, effect } }: Followed,
  mayBeListed: boolean,
): Promise<Partial<GetCommandInvocationCommandOutput> | undefined> {
  if (mayBeListed && (await running?.isListed(own, ssm)) === true) return { Status: 'InProgress' };
  const what = `GetCommandInvocation ${hostId}`;
  try {
    const answer = await ssm.ask({
      what,
      effect: 'read',
      call: (client, options) =>
        client.getCommandInvocation({ CommandId: own.commandId, InstanceId: hostId }, options),
      // Normal right after the command was sent: the service is eventually consistent.
      answers: ['InvocationDoesNotExist'],
    });
    return answer.kind === 'refusal' ? undefined : answer.value;
  } catch (error) {
    // The question had no effect, but the order that it asks about may have.
    if (!(error instanceof PortFailure) || effect === 'read') throw error;
    throw new PortFailure({ ...error, effect: 'unknown' });
  }
}
