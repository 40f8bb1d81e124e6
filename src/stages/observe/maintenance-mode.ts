import { type DeploymentRecord, withRefusedWrites } from '../../domain/deployment/record.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { isPortFailure } from '../../ports/failure.ts';
import type { StageContext } from '../context/context.ts';
import { changingWrites } from '../record/journal.ts';

/** Three refusals in a row silence a runner for so long (unhealthy_interval). */
const silencedMs = 3_600_000;

/**
 * When the registry took no writes goes into the record with the next write, and with one of its own
 * where the run ends by it: the runners that were refused with us are silent in the next run as well.
 */
export async function recordingMaintenance<T>(
  context: StageContext,
  body: (context: StageContext) => Promise<T>,
): Promise<T> {
  const { journal, log } = context;
  const noting = {
    ...context,
    journal: changingWrites(journal, (record) => noted(context, record)),
  };
  try {
    return await body(noting);
  } catch (error) {
    if (isPortFailure(error) && error.kind === 'read_only') {
      try {
        await noteMaintenance(noting);
      } catch (second) {
        // The first error is the one that is told.
        if (!isPortFailure(second)) throw error;
        log.warn(`The record does not say when nobody could write: ${second.message}.`);
      }
    }
    throw error;
  }
}

/** For a run that writes nothing else of what it met. */
export async function noteMaintenance(context: StageContext): Promise<void> {
  const { journal } = context;
  if (journal.version() === 0) return;
  const now = journal.current();
  if (noted(context, now) !== now) await journal.write(now);
}

function noted({ ports }: StageContext, record: DeploymentRecord): DeploymentRecord {
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
