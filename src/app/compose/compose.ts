import type { AwsCredentials } from '../../adapters/aws/aws-credentials.ts';
import type { RunningOrders } from '../../adapters/aws/hosts/order-list.ts';
import type { SharedRunners } from '../../adapters/gitlab/runners/runner-cache.ts';
import type { CallBudget } from '../../adapters/transport/budget.ts';
import type { Send } from '../../adapters/transport/send.ts';
import type { SlowResponseNotice } from '../../adapters/transport/slow-response-notice.ts';
import type { Transport } from '../../adapters/transport/transport.ts';
import type { Redactor } from '../../adapters/transport/words/redaction.ts';
import type { SessionCommand } from '../../domain/deployment/stages-and-steps.ts';
import type { StackSettings } from '../../domain/settings.ts';
import type { CanaryJobs } from '../../ports/canary.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log-event.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Random } from '../../ports/random.ts';
import type { ProcessTable, Run } from '../../ports/run.ts';
import type { StateStore } from '../../ports/state-store.ts';
import { composeSignals } from './compose-signals.ts';
import { gitlabToken } from './gitlab-token.ts';

/** Resources that all stacks of one process share. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: ProcessTable;
  readonly redactor: Redactor;
  /** Limit on calls per endpoint, for all stacks together. */
  readonly budget: CallBudget;
  readonly signal: AbortSignal;
  /** Commands on hosts whose end is awaited together; if absent, each is read separately. */
  readonly running?: RunningOrders;
  /** Runners that are read repeatedly; if absent, each is read separately. */
  readonly shared?: SharedRunners;
  /** Credentials for all stacks of this process; if absent, the SDK finds them. */
  readonly credentials?: () => Promise<AwsCredentials>;
  /** Sender that records the responses of GitLab and GitHub; absent without a recording. */
  readonly send?: Send;
  /** Shows the operator which system responds slowly. */
  readonly slowNotice?: SlowResponseNotice;
  /** Time for retries while AWS does not respond; shorter if an operator waits for the command. */
  readonly patienceMs?: number;
}

export interface Composition {
  readonly settings: StackSettings;
  readonly run: Run;
  /** A document may limit the checks of prepare and healthcheck. */
  readonly command: SessionCommand;
  readonly surroundings: Surroundings;
  /** Returns the signal of the current call. */
  readonly signal: () => AbortSignal;
  readonly log: Log;
}

export type AwsPorts = Pick<
  Ports,
  'parameters' | 'host' | 'access' | 'account' | 'instances' | 'inventory' | 'hooks' | 'alarms'
>;

/** Opens the ports behind AWS. They do not depend on the run and exist before it is known. */
export async function openAws(composition: Omit<Composition, 'run'>): Promise<AwsPorts> {
  const { composeAws } = await import('./compose-aws.ts');
  return composeAws(composition);
}

/** Composes all ports of one stack over the production adapters, each loaded when needed. */
export async function composePorts(composition: Composition, opened?: AwsPorts): Promise<Ports> {
  const { clock, random, processes } = composition.surroundings;
  const aws = opened ?? (await openAws(composition));
  const { registry, pipelines, canary } = await composeRunners(composition, aws.parameters);
  const infrastructure = await composeInfrastructure(composition);
  return {
    clock,
    random,
    processes,
    ...aws,
    registry,
    pipelines,
    canary,
    infrastructure,
    signals: composeSignals(composition),
  };
}

/**
 * Limits for reports: an operator waits for them, and a failed source is shown as such. The limit of
 * a call stays, because it also covers the queue for the call budget.
 */
const reportLimits = { attempts: 3, attemptMs: 15_000 };

/** Loads only the adapter of the stack's registry. */
async function composeRunners(composition: Composition, parameters: StateStore) {
  const { settings, surroundings, signal, log } = composition;
  const { createTransport } = await import('../../adapters/transport/transport.ts');
  restrictCalls(settings, surroundings.budget);
  const { command } = composition;
  const limits = command === 'status' || command === 'doctor' ? reportLimits : {};
  const transport = createTransport({ ...surroundings, signal, log, limits });
  if (settings.github === undefined) return composeGitLab(composition, transport);
  const { composeGitHub } = await import('./compose-github.ts');
  return composeGitHub(composition, { parameters, transport });
}

/** Sets the call limits of a stack, which must precede its first call. */
export function restrictCalls(
  { gitlabUrl, callLimits }: Pick<StackSettings, 'gitlabUrl' | 'callLimits'>,
  budget: CallBudget,
): void {
  budget.restrict(new URL(gitlabUrl).host, callLimits);
}

async function composeGitLab(composition: Composition, transport: Transport) {
  const { settings, run, surroundings } = composition;
  const { redactor } = surroundings;
  const [
    { createGitLabClient },
    { createGitLabRegistry },
    { createGitLabPipelines },
    { composePipelines },
    { probingCanary, probingProject },
  ] = await Promise.all([
    import('../../adapters/gitlab/gitlab-client.ts'),
    import('../../adapters/gitlab/runners/gitlab-registry.ts'),
    import('../../adapters/gitlab/jobs/gitlab-pipelines.ts'),
    import('./compose-pipelines.ts'),
    import('./compose-probes.ts'),
  ]);
  const client = createGitLabClient({
    url: settings.gitlabUrl,
    token: gitlabToken(surroundings.environment),
    transport,
    redactor,
  });
  const gitlab = createGitLabPipelines({
    client,
    ...(run.ci === 'gitlab' ? { ownJobId: run.jobId } : {}),
  });
  const { scope } = settings.registration;
  const { shared, clock } = surroundings;
  const pauser = { run: run.deploymentId, clock };
  const registry = createGitLabRegistry({ client, scope, shared, pauser });
  return {
    registry: await probingProject(composition, await probingCanary(composition, client, registry)),
    pipelines: composePipelines(composition, { gitlab, transport }),
    canary: await composeCanary(composition, client),
  };
}

async function composeCanary(
  { settings, run, surroundings }: Composition,
  client: import('../../adapters/gitlab/gitlab-client.ts').GitLabClient,
): Promise<CanaryJobs> {
  const { clock, environment } = surroundings;
  const { canary, runnerName } = settings;
  const { secretsOf } = await import('../../adapters/gitlab/canary/canary-secrets.ts');
  const secrets = secretsOf(environment);
  if (canary.kind === 'project') {
    const { createCanaryProject } = await import('../../adapters/gitlab/canary/canary-project.ts');
    return createCanaryProject({
      client,
      clock,
      deploymentId: run.deploymentId,
      // A stage at a terminal does not know when its deployment began; the id contains it.
      createdAt: run.ci === 'terminal' ? undefined : run.pipelineCreatedAt,
      runnerName,
      secrets,
      ...canary,
    });
  }
  if (canary.kind === 'job' && run.ci === 'gitlab') {
    const { createCanaryJob } = await import('../../adapters/gitlab/canary/gitlab-canary.ts');
    const { readGitLabPipeline } = await import('../../adapters/ci/gitlab-run.ts');
    const pipeline = readGitLabPipeline(environment);
    return createCanaryJob({
      client,
      clock,
      ...pipeline,
      pipelineUrl: run.pipelineUrl ?? 'the pipeline',
      runnerName,
      jobName: canary.jobName,
      secrets,
    });
  }
  const { createNoCanary } = await import('../../adapters/canary/no-canary.ts');
  const own = { deploymentId: run.deploymentId, runnerName };
  if (canary.kind !== 'job') return createNoCanary(own);
  const { createPipelineCanaries } = await import(
    '../../adapters/gitlab/canary/pipeline-canary.ts'
  );
  const others = createPipelineCanaries(client, { runnerName, jobName: canary.jobName });
  return createNoCanary({ ...own, others });
}

async function composeInfrastructure({ settings, surroundings, signal }: Composition) {
  const { clock, redactor, processes } = surroundings;
  const environment = await childrenEnvironment(surroundings);
  const { infrastructure, shards, parameterPrefix } = settings;
  const shared = { environment, clock, redact: redactor.redact, signal };
  if (infrastructure.driver === 'terraform') {
    const { createTerraformInfrastructure } = await import(
      '../../adapters/terraform/terraform-infrastructure.ts'
    );
    return createTerraformInfrastructure({
      ...shared,
      settings: infrastructure,
      shards,
      parameterPrefix,
      processes,
    });
  }
  const { createCommandInfrastructure } = await import(
    '../../adapters/command/command-infrastructure.ts'
  );
  return createCommandInfrastructure({ ...shared, settings: infrastructure, shards });
}

/** Returns the environment for child processes, with the credentials at the time of the start. */
async function childrenEnvironment({
  environment,
  credentials,
}: Surroundings): Promise<() => Surroundings['environment']> {
  if (credentials === undefined) return () => environment;
  const { withCredentials } = await import('../../adapters/aws/aws-credentials.ts');
  const current = await credentials();
  return () => withCredentials(environment, current);
}
