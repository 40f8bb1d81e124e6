import type { Requirement } from '../settings.ts';

/** Kinds of evidence, in the order of collection. */
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
   * `good`: confirmed. `missing`: checked, and not there yet. `bad`: checked, and waiting cannot
   * fix it. `unknown`: could not be checked; counts neither for nor against the shard.
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
  /** Whether the time for the healthcheck is over. */
  readonly final: boolean;
  /** Kinds whose own time limit has passed. */
  readonly expired?: ReadonlySet<EvidenceKind>;
}

/** Returns whether required evidence is bad: the verdict then waits for no time limit. */
export function isHealthSettled(
  evidence: HealthFacts['evidence'],
  requirements: HealthFacts['requirements'],
): boolean {
  return evidence.some(({ kind, state }) => state === 'bad' && requirements[kind] === 'required');
}

/** Decides from required evidence alone; a missing response is never a good one. */
export function judgeHealth(facts: HealthFacts): HealthVerdict {
  const { evidence, requirements } = facts;
  const required = evidenceKinds.filter((kind) => requirements[kind] === 'required');
  const byKind = new Map(evidence.map((one) => [one.kind, one]));
  const state = (kind: EvidenceKind) => byKind.get(kind)?.state ?? 'unknown';
  const reasons = (kinds: readonly EvidenceKind[]) =>
    kinds.map((kind) => byKind.get(kind)?.detail ?? `${kind}: not checked`);

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
  // Missing evidence counts against the shard only if all evidence before it in the order is known.
  return firstOpen !== undefined && state(firstOpen) === 'missing'
    ? { kind: 'unhealthy', reasons: reasons(missing) }
    : { kind: 'inconclusive', reasons: reasons(unknown) };
}
