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

/** What one process shares over all of its stacks. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: ProcessTable;
  readonly redactor: Redactor;
  /** What each endpoint may be asked, by all stacks together. */
  readonly budget: CallBudget;
  readonly signal: AbortSignal;
  /** The commands on hosts whose end is waited for; absent: each is read by itself. */
  readonly running?: RunningOrders;
  /** The runners that are read again and again; absent: each is read by itself. */
  readonly shared?: SharedRunners;
  /** Of all stacks of this process; as AWS's SDK finds them if absent. */
  readonly credentials?: () => Promise<AwsCredentials>;
  /** Where what GitLab and GitHub answer is recorded; absent otherwise. */
  readonly send?: Send;
  /** Tells the person at the command who does not answer. */
  readonly silence?: SlowResponseNotice;
  /** How long AWS is asked again while it does not answer; a person who looks has less patience. */
  readonly patienceMs?: number;
}

export interface Composition {
  readonly settings: StackSettings;
  readonly run: Run;
  /** Checks of prepare and healthcheck may be limited to a document. */
  readonly command: SessionCommand;
  readonly surroundings: Surroundings;
  /** Of the call that is made. */
  readonly signal: () => AbortSignal;
  readonly log: Log;
}

export type AwsPorts = Pick<
  Ports,
  'parameters' | 'host' | 'access' | 'account' | 'instances' | 'inventory' | 'hooks' | 'alarms'
>;

/** What is behind AWS does not know for which run it is asked, and so is there before that is known. */
export async function openAws(composition: Omit<Composition, 'run'>): Promise<AwsPorts> {
  const { composeAws } = await import('./compose-aws.ts');
  return composeAws(composition);
}

/** Every port of one stack over the adapters that production uses; each is loaded when it is needed. */
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

/** Whose runners they are decides which adapter is loaded at all. */
async function composeRunners(composition: Composition, parameters: StateStore) {
  const { settings, surroundings, signal, log } = composition;
  const { createTransport } = await import('../../adapters/transport/transport.ts');
  restrictCalls(settings, surroundings.budget);
  const transport = createTransport({ ...surroundings, signal, log });
  if (settings.github === undefined) return composeGitLab(composition, transport);
  const { composeGitHub } = await import('./compose-github.ts');
  return composeGitHub(composition, { parameters, transport });
}

/** Before the first call of a stack: the budget counts from there on. */
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
  ] = await Promise.all([
    import('../../adapters/gitlab/gitlab-client.ts'),
    import('../../adapters/gitlab/runners/gitlab-registry.ts'),
    import('../../adapters/gitlab/jobs/gitlab-pipelines.ts'),
    import('./compose-pipelines.ts'),
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
    registry: await probingCanary(composition, client, registry),
    pipelines: composePipelines(composition, { gitlab, transport }),
    canary: await composeCanary(composition, client),
  };
}

/** The canary's job is given variables of its project: that of this run, or the one of its own. */
async function probingCanary(
  { settings: { canary }, run, surroundings: { environment } }: Composition,
  client: import('../../adapters/gitlab/gitlab-client.ts').GitLabClient,
  registry: Ports['registry'],
): Promise<Ports['registry']> {
  const isInGitLab = run.ci === 'gitlab';
  if (canary.kind !== 'project' && !(canary.kind === 'job' && isInGitLab)) return registry;
  const { isProjectOf, withCanaryProbe } = await import(
    '../../adapters/gitlab/canary/canary-secrets.ts'
  );
  const { readGitLabPipeline } = await import('../../adapters/ci/gitlab-run.ts');
  const project =
    canary.kind === 'project' ? canary.project : readGitLabPipeline(environment).projectId;
  const isOwn = isInGitLab && isProjectOf(project, environment);
  return withCanaryProbe(registry, { client, project, isOwn, environment });
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
      // At a terminal, a stage that continues a deployment is not told when that began; its id states it.
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

/** What we start has the credentials that we have by then. */
async function childrenEnvironment({
  environment,
  credentials,
}: Surroundings): Promise<() => Surroundings['environment']> {
  if (credentials === undefined) return () => environment;
  const { withCredentials } = await import('../../adapters/aws/aws-credentials.ts');
  const current = await credentials();
  return () => withCredentials(environment, current);
}
