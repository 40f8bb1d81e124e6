import { describeLimit } from '../../domain/call-usage.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import type { Clock } from '../../ports/clock.ts';
import { PortFailure } from '../../ports/failure.ts';
import type { Log } from '../../ports/log-event.ts';
import type { Random } from '../../ports/random.ts';
import type { Delay } from './allotment.ts';
import { failureOf } from './answers/outcome-failure.ts';
import { isReadOnly } from './answers/read-only.ts';
import { parseRetryAfter } from './answers/retry-after.ts';
import { type AttemptOutcome, attemptOnce } from './attempt.ts';
import type { CallBudget, HostBudget } from './budget.ts';
import { TurnTooFar } from './pacer.ts';
import {
  isRepeatable,
  mayChange,
  type TransportAnswer,
  type TransportLimits,
  type TransportRequest,
  usualLimits,
} from './request.ts';
import { planRetry } from './retry-policy.ts';
import { createSend, type Send } from './send.ts';
import { openQuestion, type Question, type SlowResponseNotice } from './slow-response-notice.ts';
import { refuseAddress } from './url-check.ts';
import type { Redactor } from './words/redaction.ts';

/**
 * Sends a request; all requests of the adapters use it. It retries repeatable requests, respects
 * requested waits, sends a write once and follows no redirect. Rejects with a PortFailure, or with
 * the signal's reason after a cancel.
 */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

export interface TransportOptions {
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Returns the signal of the current call. It cancels reads and waits at once; a write in flight
   * gets a short time for its response.
   */
  readonly signal: () => AbortSignal;
  /** Budget of the process, shared by all transports. */
  readonly budget: CallBudget;
  readonly redactor: Redactor;
  /** Replaces the network. */
  readonly send?: Send;
  readonly log?: Pick<Log, 'event'>;
  /** Reports slow responses. Absent: no report. */
  readonly slowNotice?: SlowResponseNotice;
  readonly limits?: Partial<TransportLimits>;
}

/** Pause before a retry in read-only mode. A runner pauses for the same time. */
const readOnlyPauseMs = 30_000;

export function createTransport(options: TransportOptions): Transport {
  const equipped = { ...options, send: options.send ?? createSend() };
  return (request) => send(request, equipped);
}

type Equipped = TransportOptions & { readonly send: Send };

/** Returns the first word of a source, which names the other side. */
function sideOf({ source }: TransportRequest): string {
  return source.split(' ')[0] ?? source;
}

async function send(request: TransportRequest, options: Equipped): Promise<TransportAnswer> {
  requireAddress(request);
  const { clock, log } = options;
  const signal = options.signal();
  const budget = options.budget.of(request.url.host, sideOf(request));
  const limits = { ...usualLimits, ...options.limits };
  const { slowNotice } = options;
  const isWrite = mayChange(request);
  const question = openQuestion({ slowNotice, clock, side: sideOf(request), log });
  const startedAt = clock.elapsed();
  let endsAt = startedAt + limits.callMs;
  const writesUntil = isWrite ? startedAt + limits.writeMs : Number.POSITIVE_INFINITY;
  const leftMs = () => {
    const isTooLate = clock.elapsed() + budget.delay(isWrite).ms > writesUntil;
    return isTooLate ? 0 : Math.min(endsAt, writesUntil) - clock.elapsed();
  };
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted();
    const queuedAt = clock.elapsed();
    const mostMs = Math.min(limits.callMs, writesUntil - queuedAt);
    const queued = budget.enter(signal, { mostMs, isWrite });
    if (queued !== undefined) {
      const delay = () => budget.delay(isWrite);
      await takeTurn(queued, { request, slowNotice, delay, mostMs });
    }
    // Time in the queue does not reduce the other side's time for its response.
    endsAt += clock.elapsed() - queuedAt;
    const timeoutMs = Math.min(limits.attemptMs, endsAt - clock.elapsed());
    const outcome = await attempt({ request, options, signal, limits, timeoutMs, question });
    const isUnanswered = outcome.kind === 'failed' || outcome.kind === 'timeout';
    question.answered(isUnanswered ? 'nothing' : 'an answer');
    budget.note(outcome.kind === 'answer' ? outcome.answer : undefined);
    reportReadOnly(outcome, request, options);
    // A cancelled read changed nothing and is no failure of the other side.
    if (!isWrite) signal.throwIfAborted();
    const plan = planRetry({
      outcome,
      attempts,
      limits,
      repeatable: isRepeatable(request),
      leftMs: leftMs(),
      nowMs: clock.now(),
      fraction: options.random.fraction(),
    });
    if (plan.kind === 'stop') {
      return settle({ request, outcome, options, budget, reason: plan.reason });
    }
    if (!budget.take()) {
      const reason = 'no retries left in this run';
      return settle({ request, outcome, options, budget, reason });
    }
    const { afterMs, isFromServer: told } = plan;
    log?.event({ kind: 'http_repetition', source: request.source, attempts, afterMs, told });
    await question.pause(() => clock.sleep(plan.afterMs, signal));
  }
}

/**
 * Waits for the call's turn. A wait above the limit of a call is a refusal, because the caller's
 * own limit is unknown.
 */
async function takeTurn(
  queued: Promise<void>,
  turn: {
    request: TransportRequest;
    slowNotice: SlowResponseNotice | undefined;
    delay: () => Delay;
    mostMs: number;
  },
): Promise<void> {
  const { request, slowNotice, delay, mostMs } = turn;
  try {
    await (slowNotice?.turn(sideOf(request), queued, { delay, mostMs }) ?? queued);
  } catch (error) {
    if (!(error instanceof TurnTooFar)) throw error;
    const { waitedMs } = error;
    const { ms, budget: key } = error.delay;
    const since = waitedMs < 1000 ? '' : ` (queued for ${formatDuration(waitedMs)})`;
    const limit = key === undefined ? 'its rate limit' : `the budget ${describeLimit(key)}`;
    const detail = `${limit} accepts the next call in ${formatDuration(ms)}; the call was not sent${since}`;
    const { source } = request;
    const againInMs = mayChange(request) ? ms : undefined;
    throw new PortFailure({ kind: 'throttled', effect: 'none', source, detail, againInMs });
  }
}

function reportReadOnly(
  outcome: AttemptOutcome,
  request: TransportRequest,
  { clock, redactor }: Equipped,
): void {
  if (request.onReadOnly === undefined) return;
  const failure = failureOf(outcome, request, { redactor, reason: '' });
  if (failure?.kind !== 'read_only') return;
  const at = clock.elapsed();
  request.onReadOnly({ detail: failure.detail, agoMs: () => clock.elapsed() - at });
}

function requireAddress({ url, source, secretless }: TransportRequest): void {
  const detail = refuseAddress(url, { secretless });
  if (detail !== undefined) {
    throw new PortFailure({ kind: 'refused', effect: 'none', source, detail });
  }
}

function attempt(call: {
  request: TransportRequest;
  options: Equipped;
  signal: AbortSignal;
  limits: TransportLimits;
  timeoutMs: number;
  question: Question;
}): Promise<AttemptOutcome> {
  const { request, options, signal, limits, timeoutMs, question } = call;
  return question.attempt(() =>
    attemptOnce({
      request,
      clock: options.clock,
      signal,
      send: options.send,
      timeoutMs,
      maxAnswerBytes: limits.maxAnswerBytes,
      graceMs: mayChange(request) ? limits.graceMs : 0,
    }),
  );
}

function settle(end: {
  request: TransportRequest;
  outcome: AttemptOutcome;
  options: Equipped;
  budget: HostBudget;
  reason: string;
}): TransportAnswer {
  const { request, outcome, options, budget, reason } = end;
  const { redactor, send: way } = options;
  const through = way.through?.(request.url);
  const againInMs = mayChange(request) ? againIn(outcome, options, budget) : undefined;
  const failure = failureOf(outcome, request, { redactor, reason, through, againInMs });
  if (failure !== undefined || outcome.kind !== 'answer') throw failure;
  budget.restore();
  return outcome.answer;
}

function againIn(outcome: AttemptOutcome, { clock }: Equipped, budget: HostBudget): number {
  if (outcome.kind !== 'answer' || !isReadOnly(outcome.answer))
    return Math.max(0, budget.delay(true).ms);
  return parseRetryAfter(outcome.answer.headers, clock.now()) ?? readOnlyPauseMs;
}
