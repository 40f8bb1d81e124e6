import { shardEntry } from '../deployment/record.ts';
import { isBefore } from '../deployment/stages-and-steps.ts';
import { diagnose } from '../health/diagnose.ts';
import type { Diagnosis } from '../health/diagnosis.ts';
import type { Shard } from '../shard.ts';
import { type Contradiction, findContradictions } from './contradictions.ts';
import { type Finding, findFaults } from './find-faults.ts';
import { answerOf, type StackFacts } from './stack-facts.ts';
import { type StackView, viewOf } from './view.ts';

export interface Examination {
  readonly view: StackView;
  readonly contradictions: readonly Contradiction[];
  readonly findings: readonly Finding[];
  /**
   * Reasons why the candidate is unhealthy, from the catalogue that the healthcheck's errors use.
   */
  readonly causes: readonly Diagnosis[];
}

export function examine(facts: StackFacts): Examination {
  const view = viewOf(facts);
  return {
    view,
    contradictions: findContradictions(view),
    findings: findFaults(facts),
    causes: causesOf(view),
  };
}

function causesOf(view: StackView): readonly Diagnosis[] {
  const { record, facts } = view;
  const { phase, candidate } = record?.deployment ?? {};
  if (candidate === undefined || phase === undefined || !isBefore(phase, 'promoting')) return [];
  // A candidate in retreat need not become healthy.
  if (phase === 'retreating') return [];
  if (shardEntry(record, candidate).unhealthyInARow === 0) return [];
  const names = { runner: facts.settings.runnerName, shard: candidate, words: facts.words };
  return diagnose(healthFacts(view, candidate), names);
}

function healthFacts(view: StackView, shard: Shard) {
  const { registration } = shardEntry(view.record, shard);
  const facts = view.of(shard);
  const listed = answerOf(facts.registrations);
  const own = listed?.find(({ id }) => id === registration);
  const instances = answerOf(facts.instances);
  const hosts = answerOf(facts.hosts);
  return {
    missing: [
      ...(view.state(shard).running.length === 0 ? (['instance'] as const) : []),
      'manager' as const,
    ],
    ...(registration === undefined || listed === undefined
      ? {}
      : {
          registration:
            own === undefined
              ? { id: registration, state: 'absent' as const }
              : { id: registration, state: 'present' as const, paused: own.paused, tags: own.tags },
        }),
    ...(instances === undefined ? {} : { instances }),
    ...(hosts === undefined ? {} : { hosts, reports: hosts }),
  };
}
