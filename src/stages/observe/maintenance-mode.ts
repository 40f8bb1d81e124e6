import { type DeploymentRecord, withRefusedWrites } from '../../domain/deployment/record.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { isPortFailure } from '../../ports/failure.ts';
import type { StageContext } from '../context/context.ts';

/** Time for which a runner sends no requests after three refusals in a row (unhealthy_interval). */
const silencedMs = 3_600_000;

/**
 * Runs the body. If it fails because the registry is read-only, notes that in the record. Runners
 * that were refused during that time are still unresponsive in the next run.
 */
export async function recordingMaintenance<T>(
  context: StageContext,
  body: (context: StageContext) => Promise<T>,
): Promise<T> {
  try {
    return await body(context);
  } catch (error) {
    if (isPortFailure(error) && error.kind === 'read_only') {
      try {
        await noteMaintenance(context);
      } catch (second) {
        // The first error takes precedence.
        if (!isPortFailure(second)) throw error;
        context.log.warn(
          `The time of the refused writes could not be recorded: ${second.message}.`,
        );
      }
    }
    throw error;
  }
}

/** Notes the maintenance period in a run that makes no other write. */
export async function noteMaintenance(context: StageContext): Promise<void> {
  const { journal } = context;
  if (journal.version() === 0) return;
  const before = journal.current();
  const noted = withMaintenance(context, before);
  if (noted !== before) await journal.write(noted);
}

/** Returns the record with the time at which the registry last refused a write of this run. */
export function withMaintenance(
  { ports }: StageContext,
  record: DeploymentRecord,
): DeploymentRecord {
  const met = ports.registry.lastRefusal();
  if (met === undefined) return record;
  return withRefusedWrites(record, new Date(ports.clock.now() - met.agoMs).toISOString());
}

/** Returns a maintenance that may explain a runner without contact, or undefined. */
export function explainByMaintenance({ ports, journal }: StageContext): string | undefined {
  const { registry } = ports.registry.traits.words;
  const met = ports.registry.lastRefusal();
  const { writesRefusedAt } = journal.current();
  const keptMs = ports.clock.now() - Date.parse(writesRefusedAt ?? '');
  // The clock of another machine may be ahead, but by less than the whole period.
  const isKept = Math.abs(keptMs) < silencedMs;
  const agoMs = met?.agoMs ?? (isKept ? Math.max(0, keptMs) : silencedMs);
  if (agoMs >= silencedMs) return undefined;
  const words = met === undefined ? 'from the record' : `"${met.detail}"`;
  return `${registry} refused writes ${formatDuration(agoMs)} ago (${words}), and a refused runner may not poll for ${formatDuration(silencedMs)}`;
}
