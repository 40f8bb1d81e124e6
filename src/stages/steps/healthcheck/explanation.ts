import { formatDiagnosis } from '../../../domain/health/diagnose.ts';
import type { Diagnosis, DiagnosisFacts } from '../../../domain/health/diagnosis.ts';
import {
  type Evidence,
  type EvidenceKind,
  evidenceKinds,
} from '../../../domain/health/evidence.ts';
import type { Requirement } from '../../../domain/settings.ts';
import { causeLines } from '../../../domain/text/log-line.ts';

/** Number of causes in an explanation: the most likely, and one that may be behind it. */
const mostDiagnoses = 2;
const mostLines = 3;

/** Explains present and missing evidence, the cause, and the logs, in one line each. */
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
  /** Failed canary, whose log lines come before those of other jobs. */
  readonly job?: string | undefined;
}): readonly string[] {
  const causes = diagnoses.slice(0, mostDiagnoses).map(formatDiagnosis);
  const isQuoted = (line: string) =>
    causes.some((cause) => cause.includes(line.replace(/ \(\d+ times\)$/, '')));
  return [
    joinReasons(evidence, requirements),
    ...causes,
    ...(diagnoses.length === 0 ? ['no cause was found, so a longer wait may help or not'] : []),
    ...(facts.reports ?? []).flatMap(({ id, log }) => {
      const cause = causeLines(log, mostLines, { job }).filter((line) => !isQuoted(line));
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
  const listed = [
    ['found', those('good')],
    ['missing', those('missing')],
    ['bad', those('bad')],
    ['unknown', those('unknown')],
    ['not checked', those(undefined)],
  ].flatMap(([words, found]) => (found === '' ? [] : [`${found} ${words}`]));
  return `evidence: ${listed.join('; ')}`;
}
