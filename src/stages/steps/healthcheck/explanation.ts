import { formatDiagnosis } from '../../../domain/health/diagnose.ts';
import type { Diagnosis, DiagnosisFacts } from '../../../domain/health/diagnosis.ts';
import {
  type Evidence,
  type EvidenceKind,
  evidenceKinds,
} from '../../../domain/health/evidence.ts';
import type { Requirement } from '../../../domain/settings.ts';
import { causeLines } from '../../../domain/text/log-line.ts';

/** Causes that are told: the likeliest, and one more that may stand behind it. */
const mostDiagnoses = 2;
const mostLines = 3;

/** What was reached, what is missing, why, and how the logs end. Each part is one sentence. */
export function explainEvidence({
  evidence,
  requirements,
  facts,
  diagnoses,
  job,
}: {
  readonly evidence: readonly Evidence[];
  readonly requirements: Readonly<Record<EvidenceKind, Requirement>>;
  readonly facts: DiagnosisFacts;
  readonly diagnoses: readonly Diagnosis[];
  /** The canary that failed: what the log has of it precedes what it has of other jobs. */
  readonly job?: string | undefined;
}): readonly string[] {
  return [
    joinReasons(evidence, requirements),
    ...diagnoses.slice(0, mostDiagnoses).map(formatDiagnosis),
    ...(diagnoses.length === 0
      ? ['nothing that was seen tells why, so that waiting on may help or not']
      : []),
    ...(facts.reports ?? []).flatMap(({ id, log }) => {
      const cause = causeLines(log, mostLines, { job });
      return cause.length === 0 ? [] : [`the log of ${id} has: ${cause.join(' | ')}`];
    }),
  ];
}

function joinReasons(
  evidence: readonly Evidence[],
  requirements: Readonly<Record<EvidenceKind, Requirement>>,
): string {
  const states = new Map(evidence.map(({ kind, state }) => [kind, state]));
  const kinds = evidenceKinds.filter(
    (kind) => requirements[kind] !== 'off' && (kind !== 'observe' || states.has(kind)),
  );
  const those = (...wanted: (Evidence['state'] | undefined)[]) =>
    kinds.filter((kind) => wanted.includes(states.get(kind))).join(', ');
  return [
    ['reached', those('good')],
    ['missing', those('missing')],
    ['bad', those('bad')],
    ['unknown', those('unknown')],
    ['not asked for', those(undefined)],
  ]
    .flatMap(([words, found]) => (found === '' ? [] : [`${words}: ${found}`]))
    .join('; ');
}
