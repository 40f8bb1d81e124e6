import { type DeploymentRecord, withRefusedWrites } from '../../domain/deployment/record.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { isPortFailure } from '../../ports/failure.ts';
import type { StageContext } from '../context/context.ts';

/** Three refusals in a row silence a runner for so long (unhealthy_interval). */
const silencedMs = 3_600_000;

/**
 * A run that ends because the registry takes no writes writes that into the record: the runners that were
 * refused with us are silent in the next run as well.
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
        // The first error is the one that is told.
        if (!isPortFailure(second)) throw error;
        context.log.warn(`The record does not say when nobody could write: ${second.message}.`);
      }
    }
    throw error;
  }
}

/** For a run that writes nothing else of what it met. */
export async function noteMaintenance(context: StageContext): Promise<void> {
  const { journal } = context;
  if (journal.version() === 0) return;
  const before = journal.current();
  const noted = withMaintenance(context, before);
  if (noted !== before) await journal.write(noted);
}

/** The record with the time at which the registry last refused a write of this run. */
export function withMaintenance(
  { ports }: StageContext,
  record: DeploymentRecord,
): DeploymentRecord {
  const met = ports.registry.lastRefusal();
  if (met === undefined) return record;
  return withRefusedWrites(record, new Date(ports.clock.now() - met.agoMs).toISOString());
}

/** Why a silent runner may be silent through no fault of its own; undefined where nothing says so. */
export function explainByMaintenance({ ports, journal }: StageContext): string | undefined {
  const { registry } = ports.registry.traits.words;
  const met = ports.registry.lastRefusal();
  const { writesRefusedAt } = journal.current();
  const keptMs = ports.clock.now() - Date.parse(writesRefusedAt ?? '');
  // The clock of another machine may be ahead, and not by the whole of that time.
  const isKept = Math.abs(keptMs) < silencedMs;
  const agoMs = met?.agoMs ?? (isKept ? Math.max(0, keptMs) : silencedMs);
  if (agoMs >= silencedMs) return undefined;
  const words = met === undefined ? 'by the record' : `"${met.detail}"`;
  return `${registry} took no writes ${formatDuration(agoMs)} ago (${words}), and a runner that it refused may be silent for ${formatDuration(silencedMs)}`;
}
