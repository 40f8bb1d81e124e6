import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import {
  preparesDeployment,
  type SessionCommand,
} from '../../domain/deployment/stages-and-steps.ts';
import type { DeploymentId } from '../../domain/shard.ts';
import type { Ports } from '../../ports/ports.ts';
import { ciOf, type Run } from '../../ports/run.ts';
import type { StageContext } from '../context/context.ts';

/** Composes the ports of a run. The canary port depends on the run's deployment. */
export type PortsOf = (
  run: Run,
) => Promise<{ readonly cancelable: Ports; readonly uncancelable: Ports }>;

/** Commands that begin a new deployment, or that work on none. */
const resumesNothing: ReadonlySet<SessionCommand> = new Set([
  'rollback',
  'activate',
  'hold',
  'release',
  'renew',
  'status',
  'dashboard',
  'doctor',
]);

export type RunContexts = ReturnType<typeof createRunContexts>;

/**
 * Decides once which deployment a command at a terminal works on. Commands share no id, so the
 * record decides. Called under the lock, whose log proves that the read is current. A stale read
 * would resume a finished deployment and do nothing. Decision 3 has two exceptions, `bake` and
 * `healthcheck`.
 *
 * @param portsOf undefined if the deployment is given
 */
export function createRunContexts(of: StageContext, portsOf: PortsOf | undefined) {
  let current = of;
  let isDecided = portsOf === undefined || resumesNothing.has(of.stage);
  return { current: () => current, decide };

  /**
   * @param watched the record of the bake that was polled before the lock; read from the journal if
   * absent
   */
  async function decide(watched?: DeploymentRecord): Promise<void> {
    if (isDecided || portsOf === undefined) return;
    const context = current;
    const run = resumedRun(context.run, context.stage, watched ?? (await context.journal.read()));
    isDecided = true;
    if (run === context.run) return;
    const { deploymentId: deployment, pipelineCreatedAt } = run;
    context.log.event({ kind: 'resumed', deployment, pipeline_created_at: pipelineCreatedAt });
    const ports = await portsOf(run);
    current = { ...context, run, ports: ports.cancelable, uncancelable: ports.uncancelable };
  }
}

/** Returns the run of the resumed deployment, or the run itself if nothing is to be resumed. */
function resumedRun(run: Run, command: SessionCommand, record: DeploymentRecord | undefined): Run {
  if (record === undefined || record.deployment.phase === 'done') return run;
  const { id, pipelineCreatedAt } = record.deployment;
  // `prepare` adopts the deployment of a pipeline under a new id.
  if (preparesDeployment(command) && ciOf(id) !== 'terminal') return run;
  return { ...run, deploymentId: id as DeploymentId, pipelineCreatedAt };
}
