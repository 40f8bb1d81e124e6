import { costOf } from '../domain/deployment/cost.ts';
import { type DeploymentRecord, shardEntry } from '../domain/deployment/record.ts';
import { isBefore, type Phase } from '../domain/deployment/stages-and-steps.ts';
import type { DeploymentView, Log, RecordEvent } from '../ports/log-event.ts';
import type { Journal } from '../stages/record/journal.ts';

/** Wraps a journal: each read or write of the record becomes an event. */
export function reportingJournal(journal: Journal, log: Log): Journal {
  return {
    ...journal,
    async read(snapshot) {
      const record = await journal.read(snapshot);
      if (record !== undefined) log.event(recordEvent(record, 'read'));
      return record;
    },
    async write(record, snapshot) {
      const written = await journal.write(record, snapshot);
      log.event(recordEvent(written, 'written'));
      return written;
    },
    through: (ports) => reportingJournal(journal.through(ports), log),
  };
}

function recordEvent(record: DeploymentRecord, how: 'read' | 'written'): RecordEvent {
  return { kind: 'record', how, deployment: viewOf(record) };
}

/**
 * Decides whether an event has the cost. Before the switch, no shard drains, and all values would
 * be zero or unknown.
 */
function hasCost(phase: Phase): boolean {
  return !isBefore(phase, 'draining');
}

function viewOf(record: DeploymentRecord): DeploymentView {
  const { id, kind, candidate, retiring, phase, phaseAt, startedAt, pipelineUrl } =
    record.deployment;
  const expectedAt = record.deployment.tally?.drain?.expectedAt;
  const { registration, evidence } = shardEntry(record, candidate);
  return {
    id,
    kind,
    candidate,
    phase,
    phaseAt,
    startedAt,
    ...(retiring === undefined ? {} : { retiring }),
    ...(pipelineUrl === undefined ? {} : { pipelineUrl }),
    ...(registration === undefined ? {} : { registration }),
    ...(evidence?.canary === undefined ? {} : { canary: evidence.canary }),
    ...(expectedAt === undefined ? {} : { expectedAt }),
    ...(hasCost(phase) ? { cost: costOf(record.deployment, phaseAt) } : {}),
  };
}
