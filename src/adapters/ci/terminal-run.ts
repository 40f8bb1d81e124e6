import type { DeploymentId } from '../../domain/shard.ts';
import { runUnknown } from '../../errors/run-errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { creationOf, type ProcessTable, type Run } from '../../ports/run.ts';
import { type CiEnvironment, correct, readVariables, type Shape, shapes } from './ci-variables.ts';
import { normalMoment } from './moment.ts';

export interface TerminalRequest {
  readonly environment: CiEnvironment;
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: ProcessTable;
  /** `user@host`. */
  readonly operator: string;
}

/**
 * Reads a run outside a pipeline. Each start is a separate deployment, unless
 * HOSTED_RUNNER_DEPLOYMENT names one.
 */
export function readTerminalRun(request: TerminalRequest): Run {
  const { environment, clock, random, processes, operator } = request;
  const variables = readVariables(environment, (variable) => `Unset ${variable}.`);
  const find = (variable: string, shape: Shape) =>
    variables.find(variable, shape, correct(variable, shape));
  const deployment = find('HOSTED_RUNNER_DEPLOYMENT', shapes.id);
  const created = find('HOSTED_RUNNER_PIPELINE_CREATED_AT', shapes.moment);
  const { problems } = variables;
  if (problems.length > 0) throw runUnknown({ ci: 'terminal', problems });
  const now = new Date(clock.now()).toISOString();
  const stamp = now.replace(/\.\d+|[-:]/g, '');
  const id = deployment ?? `terminal-${stamp}-${random.id().slice(0, 4)}`;
  return {
    ci: 'terminal',
    deploymentId: id as DeploymentId,
    pipelineCreatedAt: created === undefined ? (creationOf(id) ?? now) : normalMoment(created),
    jobId: processes.self,
    by: operator,
  };
}
