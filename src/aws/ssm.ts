import type { SSM, SSMClientConfig } from '@aws-sdk/client-ssm';
import type { Clock } from '../ports/clock.ts';
import { PortFailure } from '../ports/failure.ts';
import type { Random } from '../ports/random.ts';
import { toPortFailure } from './failure.ts';
import { retrying } from './retry.ts';

/** Systems Manager, asked one call at a time. Every rejection is a PortFailure. */
export interface Ssm {
  ask<T>(request: SsmRequest<T>): Promise<SsmAnswer<T>>;
  /** Closes the connections that are kept open. */
  close(): void;
}

export interface SsmRequest<T> {
  /** What is asked of whom, e.g. `GetParameter /gitlab/…`. */
  readonly what: string;
  readonly effect: 'read' | 'write';
  readonly call: (client: SSM, options: { readonly abortSignal?: AbortSignal }) => Promise<T>;
  /** Names of errors that are an answer to this question. */
  readonly answers?: readonly string[];
}

export type SsmAnswer<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'refusal'; readonly name: string; readonly message: string };

export interface SsmOptions {
  /** The process's own environment: the SDK finds region, endpoint, profile and credentials there. */
  readonly environment: Record<string, string | undefined>;
  readonly clock: Clock;
  readonly random: Random;
  readonly redact: (text: string) => string;
  /** Ends waits and reads at once; a write in flight is left to its answer. */
  readonly signal?: AbortSignal | undefined;
  readonly retryBudgetMs?: number;
  readonly requestTimeoutMs?: number;
  readonly connectionTimeoutMs?: number;
  /** Instead of what the environment says. */
  readonly configuration?: Pick<SSMClientConfig, 'region' | 'endpoint' | 'credentials'>;
}

export function createSsm(options: SsmOptions): Ssm {
  const { clock, random, redact, signal, retryBudgetMs = 30_000 } = options;
  let opened: Promise<SSM> | undefined;
  const client = () => {
    opened ??= openClient(options);
    return opened;
  };
  async function attempt<T>(request: SsmRequest<T>): Promise<SsmAnswer<T>> {
    const ssm = await client();
    const abortable = request.effect === 'read' && signal !== undefined;
    try {
      const value = await request.call(ssm, abortable ? { abortSignal: signal } : {});
      return { kind: 'answer', value };
    } catch (error) {
      const refusal = findAnswer(error, request.answers ?? []);
      if (refusal !== undefined) return refusal;
      const source = `SSM ${request.what}`;
      throw toPortFailure(error, { source, effect: request.effect, redact });
    }
  }
  return {
    ask: (request) =>
      retrying({
        attempt: () => attempt(request),
        clock,
        random,
        signal,
        budgetMs: retryBudgetMs,
      }),
    close() {
      opened?.then((ssm) => ssm.destroy()).catch(() => undefined);
    },
  };
}

/** For an answer that lacks what the documentation promises. */
export function unexpectedAnswer({
  what,
  detail,
  effect,
}: {
  what: string;
  detail: string;
  effect: 'read' | 'write';
}): PortFailure {
  return new PortFailure({
    kind: 'unexpected',
    effect: effect === 'write' ? 'unknown' : 'none',
    source: `SSM ${what}`,
    detail,
  });
}

async function openClient(options: SsmOptions): Promise<SSM> {
  // Node 20 is supported until the SDK drops it; the SDK would write that on everybody's standard error.
  options.environment['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const sdk = await import('@aws-sdk/client-ssm');
  return new sdk.SSM({
    ...options.configuration,
    // The SDK repeats PutParameter after a lost answer, so that our own write looks like another's.
    maxAttempts: 1,
    requestHandler: {
      requestTimeout: options.requestTimeoutMs ?? 10_000,
      connectionTimeout: options.connectionTimeoutMs ?? 5000,
      // Without it the SDK only warns and waits on.
      throwOnRequestTimeout: true,
    },
  });
}

function findAnswer(
  error: unknown,
  names: readonly string[],
): Extract<SsmAnswer<never>, { kind: 'refusal' }> | undefined {
  const name = (error as Error | undefined)?.name;
  if (name === undefined || !names.includes(name)) return undefined;
  return { kind: 'refusal', name, message: (error as Error).message };
}
