import type { Clock } from '../ports/clock.ts';
import { PortFailure } from '../ports/failure.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import { refuseAddress } from './address.ts';
import { attemptOnce, type Outcome } from './attempt.ts';
import type { Budget } from './budget.ts';
import { failureOf } from './outcome-failure.ts';
import type { Redactor } from './redaction.ts';
import { planRepetition } from './repetition.ts';
import {
  isRepeatable,
  type TransportAnswer,
  type TransportLimits,
  type TransportRequest,
  usualLimits,
} from './request.ts';
import { type Send, send as sendOverNetwork } from './send.ts';

/**
 * The one way to the network. Repeats what may be repeated, waits as it is told, sends a write once,
 * follows no redirect. Rejects with a PortFailure, or with the signal's reason after a cancel.
 */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

export interface TransportOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Ends reads and waits at once; a write in flight is given a moment for its answer. */
  readonly signal: AbortSignal;
  readonly budget: Budget;
  readonly redactor: Redactor;
  /** Instead of the network. */
  readonly send?: Send;
  readonly log?: Pick<Log, 'event'>;
  readonly limits?: Partial<TransportLimits>;
}

export function createTransport(options: TransportOptions): Transport {
  return (request) => send(request, options);
}

async function send(
  request: TransportRequest,
  options: TransportOptions,
): Promise<TransportAnswer> {
  requireAddress(request);
  const { clock, signal, budget, log } = options;
  const limits = { ...usualLimits, ...options.limits };
  const endsAt = clock.elapsed() + limits.callMs;
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted();
    const outcome = await attempt({ request, options, limits, leftMs: endsAt - clock.elapsed() });
    // A cancelled read changed nothing and is no failure of the other side.
    if (isRepeatable(request)) signal.throwIfAborted();
    const plan = planRepetition({
      outcome,
      attempts,
      limits,
      repeatable: isRepeatable(request),
      leftMs: endsAt - clock.elapsed(),
      nowMs: clock.now(),
      fraction: options.random.fraction(),
    });
    if (plan.kind === 'stop') return settle({ request, outcome, options, reason: plan.reason });
    if (!budget.take()) {
      return settle({ request, outcome, options, reason: 'no repetitions left in this run' });
    }
    log?.event({ ...plan, kind: 'http_repetition', source: request.source, attempts });
    await clock.sleep(plan.afterMs, signal);
  }
}

function requireAddress({ url, source }: TransportRequest): void {
  const detail = refuseAddress(url);
  if (detail !== undefined) {
    throw new PortFailure({ kind: 'refused', effect: 'none', source, detail });
  }
}

function attempt(call: {
  request: TransportRequest;
  options: TransportOptions;
  limits: TransportLimits;
  leftMs: number;
}): Promise<Outcome> {
  const { request, options, limits, leftMs } = call;
  return attemptOnce({
    request,
    clock: options.clock,
    signal: options.signal,
    send: options.send ?? sendOverNetwork,
    timeoutMs: Math.min(limits.attemptMs, leftMs),
    maxAnswerBytes: limits.maxAnswerBytes,
    graceMs: isRepeatable(request) ? 0 : limits.graceMs,
  });
}

function settle(end: {
  request: TransportRequest;
  outcome: Outcome;
  options: TransportOptions;
  reason: string;
}): TransportAnswer {
  const { request, outcome, options, reason } = end;
  const failure = failureOf(outcome, request, { redactor: options.redactor, reason });
  if (failure !== undefined || outcome.kind !== 'answer') throw failure;
  options.budget.restore();
  return outcome.answer;
}
