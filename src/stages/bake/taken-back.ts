import { whyTakenBack } from '../../domain/bake/bake-note.ts';
import { isRetirement } from '../../domain/deployment/stages-and-steps.ts';
import { takeBackUnproven, takenBack } from '../../errors/bake.ts';
import type { HealthResult } from '../health/collect-evidence.ts';
import { glanceAtService } from '../service/service-watch.ts';
import type { StageContext } from '../walk/context.ts';

/** @throws DeployError `TakenBack` where this run's own deployment was taken back by its bake */
export function refuseTakenBack({ journal, run, settings }: StageContext): void {
  if (journal.version() === 0) return;
  const found = whyTakenBack(journal.current(), run.deploymentId);
  if (found === undefined) return;
  throw takenBack({ runner: settings.runnerName, id: found.id, why: found.why });
}

/**
 * What a way back leads to is not taken away for not being proven where nobody asks for that: where a bake
 * has begun it, and where a stage that finishes every deployment goes on with a person's.
 * @throws DeployError `TakeBackUnproven`
 */
export async function refuseUnprovenWayBack(
  context: StageContext,
  { kind, reasons }: HealthResult['verdict'],
): Promise<void> {
  const { settings, journal, stage } = context;
  const { deployment } = journal.current();
  const { takesBack, candidate: old, retiring: bad, by } = deployment;
  const isUnasked =
    takesBack !== undefined || (deployment.kind === 'rollback' && isRetirement(stage));
  if (!isUnasked || bad === undefined || kind !== 'unhealthy') return;
  const { kind: service } = await glanceAtService(context, bad);
  const why = takesBack?.why ?? `a rollback was begun by ${by}`;
  const serves = service !== 'disproven';
  throw takeBackUnproven({ runner: settings.runnerName, bad, old, why, reasons, serves });
}
