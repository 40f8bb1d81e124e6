import type { Requirement } from '../settings.ts';

/** In the order in which it is collected. */
export const evidenceKinds = [
  'instance',
  'manager',
  'host',
  'workload',
  'capacity',
  'reachability',
  'canary',
  'observe',
] as const;

export type EvidenceKind = (typeof evidenceKinds)[number];

/** One observation with its source and time. */
export interface Evidence {
  readonly kind: EvidenceKind;
  /**
   * `good`: seen. `missing`: asked, and it is not there yet. `bad`: seen to be wrong, waiting cannot
   * mend it. `unknown`: could not be asked; never counted for or against the shard.
   */
  readonly state: 'good' | 'missing' | 'bad' | 'unknown';
  readonly detail: string;
  readonly source: string;
  /** ISO 8601. */
  readonly at: string;
}

export type HealthVerdict =
  | { readonly kind: 'healthy'; readonly reasons: readonly string[] }
  | { readonly kind: 'unhealthy'; readonly reasons: readonly string[] }
  | { readonly kind: 'inconclusive'; readonly reasons: readonly string[] }
  | { readonly kind: 'waiting'; readonly reasons: readonly string[] };

export interface HealthFacts {
  readonly evidence: readonly Evidence[];
  readonly requirements: Readonly<Record<EvidenceKind, Requirement>>;
  /** Whether no more time is left. */
  readonly final: boolean;
  /** Kinds whose own time is over. */
  readonly expired?: ReadonlySet<EvidenceKind>;
}

/** Whether required evidence was seen to be wrong: no limit was waited for. */
export function isHealthSettled(
  evidence: HealthFacts['evidence'],
  requirements: HealthFacts['requirements'],
): boolean {
  return evidence.some(({ kind, state }) => state === 'bad' && requirements[kind] === 'required');
}

/** Only evidence that is required decides; no answer is ever a good answer. */
export function judgeHealth(facts: HealthFacts): HealthVerdict {
  const { evidence, requirements } = facts;
  const required = evidenceKinds.filter((kind) => requirements[kind] === 'required');
  const byKind = new Map(evidence.map((one) => [one.kind, one]));
  const state = (kind: EvidenceKind) => byKind.get(kind)?.state ?? 'unknown';
  const reasons = (kinds: readonly EvidenceKind[]) =>
    kinds.map((kind) => byKind.get(kind)?.detail ?? `${kind}: not looked at`);

  if (required.length === 0) {
    return {
      kind: 'inconclusive',
      reasons: ['no evidence is required, so nothing can prove health'],
    };
  }
  const bad = required.filter((kind) => state(kind) === 'bad');
  if (bad.length > 0) return { kind: 'unhealthy', reasons: reasons(bad) };
  if (required.every((kind) => state(kind) === 'good')) {
    return { kind: 'healthy', reasons: reasons(required) };
  }
  const missing = required.filter((kind) => state(kind) === 'missing');
  const unknown = required.filter((kind) => state(kind) === 'unknown');
  const firstOpen = required.find((kind) => state(kind) !== 'good');
  const isOver = facts.final || (firstOpen !== undefined && facts.expired?.has(firstOpen) === true);
  if (!isOver) return { kind: 'waiting', reasons: reasons([...missing, ...unknown].slice(0, 1)) };
  // What is seen to be missing counts against the shard only if nothing before it in the chain was hidden from us.
  return firstOpen !== undefined && state(firstOpen) === 'missing'
    ? { kind: 'unhealthy', reasons: reasons(missing) }
    : { kind: 'inconclusive', reasons: reasons(unknown) };
}
