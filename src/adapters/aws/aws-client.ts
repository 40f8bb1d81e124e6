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

/** Client of one AWS service. Every rejection is a PortFailure. */
export interface AwsClient<Client> {
  send<T>(request: AwsCall<Client, T>): Promise<AwsCallResult<T>>;
  /** Creates the failure for a response that lacks a documented field. */
  unexpected(facts: UnexpectedFacts): PortFailure;
  /** Creates the failure for a request that is not sent or is refused. It had no effect. */
  refused(what: string, detail: string): PortFailure;
  /** Closes the connections that are kept open. */
  close(): void;
}

export interface AwsCall<Client, T> {
  /** Operation and target, for example `GetParameter /gitlab/…`. */
  readonly what: string;
  readonly effect: 'read' | 'write';
  /**
   * Selects the quota of Parameter Store, which counts reads and writes separately, per account.
   */
  readonly counts?: 'parameters';
  readonly call: (client: Client, options: { readonly abortSignal?: AbortSignal }) => Promise<T>;
  /** Names of errors that count as a response to this request. */
  readonly answers?: readonly string[];
  /** Disables retries: the caller has another source for the fact. */
  readonly once?: true;
}

export type AwsCallResult<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'refusal'; readonly name: string; readonly message: string };

export interface AwsClientOptions {
  /**
   * Environment of the process. The SDK reads region, endpoint, profile and credentials from it.
   */
  readonly environment: Record<string, string | undefined>;
  readonly clock: Clock;
  readonly random: Random;
  readonly redact: (text: string) => string;
  /** Calls per minute that all stacks of this process may make in an account. */
  readonly budget?: { of(endpoint: string): Pick<HostBudget, 'enter' | 'note'> } | undefined;
  /**
   * Cancels waits and reads of the call at once. A write in flight continues until its response.
   */
  readonly signal?: () => AbortSignal;
  /** Reports that a response from AWS is slow. Absent: no report. */
  readonly slowNotice?: SlowResponseNotice | undefined;
  readonly log?: Pick<Log, 'event'> | undefined;
  readonly retryBudgetMs?: number | undefined;
  readonly requestTimeoutMs?: number;
  /**
   * Limit for a call with its credentials. The SDK reads them from a container's endpoint without a
   * limit.
   */
  readonly callTimeoutMs?: number;
  /** Credentials for all clients of this process. Absent: the SDK finds them. */
  readonly credentials?: AwsCredentials | undefined;
  /** Overrides the configuration from the environment. */
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

/** Members that every SDK client has. */
export interface SdkClient {
  readonly middlewareStack: RequestSteps;
  destroy(): void;
}

/**
 * Creates a client that opens on its first call. The SDK's retries are off: `retrying` decides.
 */
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
    send(request) {
      const { slowNotice, log } = options;
      const question = openQuestion({ slowNotice, clock, side: 'AWS', log });
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

/**
 * Creates the failure for a read whose response lacks a required field. `missing` completes "the
 * answer has …".
 */
export function lacking(
  service: { unexpected(facts: UnexpectedFacts): PortFailure },
  what: string,
  missing: string,
): PortFailure {
  return service.unexpected({ what, detail: `the response has ${missing}`, effect: 'read' });
}

const prefixes: Readonly<Record<string, string>> = {
  SSM: 'ssm',
  EC2: 'ec2',
  'Auto Scaling': 'autoscaling',
  'Resource Groups Tagging': 'tag',
  IAM: 'iam',
  CloudWatch: 'cloudwatch',
};

/** Adds the missing action to a denial: EC2 omits it, and an operator has to grant it. */
function naming(service: string, what: string, failure: PortFailure): PortFailure {
  const action = `${prefixes[service]}:${what.split(' ')[0]}`;
  const { kind, detail } = failure;
  if (kind !== 'denied' || prefixes[service] === undefined || detail.includes(action))
    return failure;
  // A denial about a key names the key's action; the message shows both actions.
  return new PortFailure({ ...failure, kind, detail: `${detail} (required: ${action})` });
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

/** Configuration of every SDK client. */
async function sdkConfiguration(options: AwsClientOptions) {
  // Node 20 is supported until the SDK drops it. This stops the SDK's warning on standard error.
  options.environment['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  return {
    ...credentialsOf(options.credentials),
    ...options.configuration,
    // The SDK would repeat PutParameter after a lost response. The first write would then pass for
    // a write by another process.
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

/**
 * Expiry that makes the SDK request credentials for every call. `AwsCredentials` decides when to
 * renew them.
 */
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
