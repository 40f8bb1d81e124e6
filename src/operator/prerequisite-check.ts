import { probesFailed } from '../errors/external-errors.ts';
import type { StageContext } from '../stages/context/context.ts';
import { readParameters } from '../stages/record/parameter-snapshot.ts';
import { probePrerequisites } from '../stages/steps/candidate/preflight.ts';

/**
 * Probes what a deployment needs, as `prepare` does, and changes nothing. Needs no pipeline.
 * @throws DeployError `PreflightFailed` with everything that is missing
 */
export async function checkPrerequisites(context: StageContext): Promise<void> {
  const { ports, names, journal, settings } = context;
  const record = await journal.read(await readParameters(ports, [names.record]));
  const missing = await probePrerequisites(context, record, false);
  const runner = settings.runnerName;
  if (missing.length > 0) throw probesFailed(runner, missing, 'validate');
}
