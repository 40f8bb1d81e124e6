import { outputSchema } from '../../domain/output-schema.ts';
import type { StackSettings } from '../../domain/settings.ts';
import type { DeployError } from '../../errors/deploy-error.ts';
import { errorAsData } from '../../errors/render.ts';
import type { EndEvent, RunEvent } from '../../ports/log-event.ts';
import type { Run } from '../../ports/run.ts';

/** Creates the first line of a run: actor, command, stack and settings. */
export function runEvent(facts: {
  readonly command: string;
  readonly program: string;
  readonly run: Run;
  readonly settings: StackSettings;
}): RunEvent {
  const { command, program, run, settings } = facts;
  return {
    kind: 'run',
    schema: outputSchema,
    program,
    command,
    deployment: run.deploymentId,
    pipeline_created_at: run.pipelineCreatedAt,
    ...(run.pipelineUrl === undefined ? {} : { pipeline_url: run.pipelineUrl }),
    ci: run.ci,
    job: run.jobId,
    by: run.by,
    ...(run.ownRegistrationId === undefined ? {} : { own_registration: run.ownRegistrationId }),
    ...(run.deadline === undefined ? {} : { deadline: new Date(run.deadline).toISOString() }),
    stack: stackOf(settings),
  };
}

function stackOf({
  runnerName,
  github,
  shards,
  parameterPrefix,
  registration,
  healthcheck,
  host,
  drain,
}: StackSettings): RunEvent['stack'] {
  return {
    runner_name: runnerName,
    runners: github === undefined ? 'gitlab' : 'github',
    shards,
    parameter_prefix: parameterPrefix,
    tags: registration.tags,
    run_untagged: registration.runUntagged,
    host_access: host.access,
    evidence: healthcheck.evidence,
    evidence_max_age_ms: healthcheck.evidenceMaxAgeMs,
    poll_of_runner_ms: drain.pollOfRunnerMs,
    may_kill_jobs: drain.forceAfterMs !== undefined,
  };
}

type EndedWell =
  | { readonly kind: 'done'; readonly summary: readonly string[] }
  | { readonly kind: 'nothing'; readonly reason: string };

/** Creates the last line of a run. A killed run has none. */
export function endEvent(
  ending: { readonly result: EndedWell } | { readonly error: DeployError },
): EndEvent {
  if ('error' in ending) {
    const { fields } = ending.error;
    const failed = { exit_code: fields.exitCode, error: errorAsData(fields) };
    return { kind: 'end', schema: outputSchema, outcome: 'error', ...failed };
  }
  const { result } = ending;
  const ended = { kind: 'end', schema: outputSchema } as const;
  return result.kind === 'done'
    ? { ...ended, outcome: 'done', exit_code: 0, summary: result.summary }
    : { ...ended, outcome: 'nothing', exit_code: 0, reason: result.reason };
}
