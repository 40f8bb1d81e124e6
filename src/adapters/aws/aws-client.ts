import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Clock } from '../../ports/clock.ts';
import { PortFailure } from '../../ports/failure.ts';
import type { Log } from '../../ports/log-event.ts';
import type { Random } from '../../ports/random.ts';
import type { HostBudget } from '../transport/budget.ts';
import { readProxies } from '../transport/proxies.ts';
import {
  openQuestion,
  type Question,
  type SlowResponseNotice,
} from '../transport/slow-response-notice.ts';
import { type RequestSteps, refuseClearText } from './aws-address.ts';
import type { AwsCredentials } from './aws-credentials.ts';
import { toAwsFailure, type UnexpectedFacts, unexpectedAwsAnswer } from './aws-failure.ts';
import { retrying } from './retry.ts';
import { createWholeHandler, within } from './whole-response.ts';

/** One service of AWS, asked one call at a time. Every rejection is a PortFailure. */
export interface AwsClient<Client> {
  ask<T>(request: AwsCall<Client, T>): Promise<AwsCallResult<T>>;
  /** For an answer that lacks what the documentation promises. */
  unexpected(facts: UnexpectedFacts): PortFailure;
  /** For a question that is not asked, or whose answer is no; nothing happened. */
  refused(what: string, detail: string): PortFailure;
  /** Closes the connections that are kept open. */
  close(): void;
}

export interface AwsCall<Client, T> {
  /** What is asked of whom, e.g. `GetParameter /gitlab/…`. */
  readonly what: string;
  readonly effect: 'read' | 'write';
  /** AWS counts Parameter Store by itself, reads and writes apart: facts of the account, not of a host. */
  readonly counts?: 'parameters';
  readonly call: (client: Client, options: { readonly abortSignal?: AbortSignal }) => Promise<T>;
  /** Names of errors that are an answer to this question. */
  readonly answers?: readonly string[];
  /** A failure is not retried: the caller has another way to the fact. */
  readonly once?: true;
}

export type AwsCallResult<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'refusal'; readonly name: string; readonly message: string };

export interface AwsClientOptions {
  /** The process's own environment: the SDK finds region, endpoint, profile and credentials there. */
  readonly environment: Record<string, string | undefined>;
  readonly clock: Clock;
  readonly random: Random;
  readonly redact: (text: string) => string;
  /** What an account may be asked in a minute, by all stacks of this process together. */
  readonly budget?: { of(endpoint: string): Pick<HostBudget, 'enter' | 'note'> } | undefined;
  /** Of the call that is made: ends waits and reads at once; a write in flight is left to its answer. */
  readonly signal?: () => AbortSignal;
  /** Says that AWS is waited for; nobody does where it is absent. */
  readonly silence?: SlowResponseNotice | undefined;
  readonly log?: Pick<Log, 'event'> | undefined;
  readonly retryBudgetMs?: number | undefined;
  readonly requestTimeoutMs?: number;
  /** With the credentials, which the SDK reads from a container's endpoint without a limit of its own. */
  readonly callTimeoutMs?: number;
  /** Of all clients of this process; as the SDK finds them if absent. */
  readonly credentials?: AwsCredentials | undefined;
  /** Instead of what the environment says. */
  readonly configuration?: ClientConfiguration;
}

export interface ClientConfiguration {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

/** What every client of the SDK has. */
export interface SdkClient {
  readonly middlewareStack: RequestSteps;
  destroy(): void;
}

/** Opened when it is first asked; vendors' own retries are off, `retrying` decides. */
export function createAwsClient<Client extends SdkClient>(
  service: string,
  options: AwsClientOptions,
  open: (configuration: SdkConfiguration) => Promise<Client>,
): AwsClient<Client> {
  const { clock, random, redact, retryBudgetMs = 30_000, callTimeoutMs = 45_000 } = options;
  let opened: Promise<Client> | undefined;
  async function attempt<T>(
    request: AwsCall<Client, T>,
    { question, signal }: { question: Question; signal: AbortSignal | undefined },
  ): Promise<AwsCallResult<T>> {
    const source = `${service} ${request.what}`;
    const abortable = request.effect === 'read' && signal !== undefined;
    opened ??= openSafely(options, open);
    const client = await opened;
    const budget = options.budget?.of(endpointOf(service, request));
    await budget?.enter(signal ?? new AbortController().signal);
    let throttling: 'throttled' | undefined;
    try {
      const call = () => request.call(client, abortable ? { abortSignal: signal } : {});
      const value = await question.attempt(() => within(callTimeoutMs, call, 'response'));
      options.credentials?.accept();
      return { kind: 'answer', value };
    } catch (error) {
      const refusal = findAnswer(error, request.answers ?? []);
      if (refusal !== undefined) return refusal;
      const failure = toAwsFailure(error, {
        source,
        effect: request.effect,
        redact,
        wereAccepted: options.credentials?.wereAccepted() ?? false,
      });
      if (failure.kind === 'throttled') throttling = 'throttled';
      throw naming(service, request.what, failure);
    } finally {
      budget?.note(throttling);
    }
  }
  return {
    ask(request) {
      const { silence, log } = options;
      const question = openQuestion({ silence, clock, side: 'AWS', log });
      const signal = options.signal?.();
      return retrying({
        attempt: () => attempt(request, { question, signal }),
        clock,
        random,
        signal,
        budgetMs: request.once === true ? 0 : retryBudgetMs,
        question,
      });
    },
    unexpected: (facts) => unexpectedAwsAnswer(service, facts),
    refused: (what, detail) =>
      new PortFailure({ kind: 'refused', effect: 'none', source: `${service} ${what}`, detail }),
    close() {
      opened?.then((client) => client.destroy()).catch(() => undefined);
    },
  };
}

function endpointOf(
  service: string,
  { counts, effect }: Pick<AwsCall<unknown, unknown>, 'counts' | 'effect'>,
): string {
  return counts === 'parameters' ? `AWS parameter ${effect}s` : `AWS ${service}`;
}

/** An answer to a read without what decides: nothing follows from it. `missing` after "the answer has". */
export function lacking(
  service: { unexpected(facts: UnexpectedFacts): PortFailure },
  what: string,
  missing: string,
): PortFailure {
  return service.unexpected({ what, detail: `the answer has ${missing}`, effect: 'read' });
}

const prefixes: Readonly<Record<string, string>> = {
  SSM: 'ssm',
  EC2: 'ec2',
  'Auto Scaling': 'autoscaling',
  'Resource Groups Tagging': 'tag',
  IAM: 'iam',
  CloudWatch: 'cloudwatch',
};

/** EC2 does not say which action is missing, and a person has to grant one. */
function naming(service: string, what: string, failure: PortFailure): PortFailure {
  const action = `${prefixes[service]}:${what.split(' ')[0]}`;
  const { kind, detail } = failure;
  if (kind !== 'denied' || prefixes[service] === undefined || detail.includes(action))
    return failure;
  // A denial about a key names the key's action; both are worth reading.
  return new PortFailure({ ...failure, kind, detail: `${detail} (asked for ${action})` });
}

async function openSafely<Client extends SdkClient>(
  options: AwsClientOptions,
  open: (configuration: SdkConfiguration) => Promise<Client>,
): Promise<Client> {
  const client = await open(await sdkConfiguration(options));
  refuseClearText(client);
  return client;
}

export type SdkConfiguration = Awaited<ReturnType<typeof sdkConfiguration>>;

/** What every client of AWS is opened with. */
async function sdkConfiguration(options: AwsClientOptions) {
  // Node 20 is supported until the SDK drops it; the SDK would write that on everybody's standard error.
  options.environment['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  return {
    ...credentialsOf(options.credentials),
    ...options.configuration,
    // The SDK repeats PutParameter after a lost answer, so that our own write looks like another's.
    maxAttempts: 1,
    requestHandler: await requestHandlerOf(options),
  };
}

async function requestHandlerOf(options: AwsClientOptions) {
  const { environment, requestTimeoutMs = 10_000 } = options;
  const proxies = readProxies(environment);
  const limits = { withinMs: requestTimeoutMs };
  if (proxies === undefined)
    return createWholeHandler(new NodeHttpHandler({ connectionTimeout: 5000 }), limits);
  const { createProxiedHandler } = await import('./proxy-handler.ts');
  return createWholeHandler(createProxiedHandler(proxies), limits);
}

/** The SDK keeps what it is given until this moment: ours are asked for each time, and decide by our clock. */
const isRetried = new Date(0);

function credentialsOf({ provide }: Partial<AwsCredentials> = {}) {
  if (provide === undefined) return {};
  return { credentials: async () => ({ ...(await provide()), expiration: isRetried }) };
}

function findAnswer(
  error: unknown,
  names: readonly string[],
): Extract<AwsCallResult<never>, { kind: 'refusal' }> | undefined {
  const name = (error as Error | undefined)?.name;
  if (name === undefined || !names.includes(name)) return undefined;
  return { kind: 'refusal', name, message: (error as Error).message };
}
