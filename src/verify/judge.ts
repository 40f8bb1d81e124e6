/**
 * Invariants by name, with a short text; docs/understand/simulation.md explains how each is
 * checked.
 */
export const invariants = {
  S1: 'at least one shard always accepts jobs',
  S2: 'no runner with a job is terminated, forced, removed or loses its token',
  S3: 'hosted-runner loses no job and runs no job twice',
  S4: 'the status is switched only on this deployment’s evidence, taken after its last apply',
  S5: 'one deployment has one direction, and switches the status once',
  S6: 'infrastructure changes only the stage’s shard, and no candidate with production tags',
  S7: 'nothing is destroyed without proof that it is drained or never accepted jobs',
  S8: 'no effect while record, status and reality contradict each other',
  S9: 'two owners of a stack are always detected; a superseded pipeline has no effect',
  S10: 'no pause affects the active shard',
  S11: 'a missing response never counts as a good response',
  S12: 'no secret is written',
  S13: 'no operator’s change is overwritten without a report',
  S14: 'the runner that runs hosted-runner is not drained',
  S15: 'no other stack is changed',
  S16: 'clock jumps and duplicates break none of these',
  S19: 'a bake rolls a deployment back at most once, to a verified shard; a shard is retired only after its bake',
  O1: 'at rest, one shard has infrastructure',
  O2: 'at rest, only the live shard is registered',
  O3: 'at rest, no token of a removed shard is left',
  O4: 'at rest, no run holds the lock',
  O5: 'at rest, no canary is left',
  O6: 'at rest, no resource of hosted-runner is outside of a state',
  O7: 'at rest, no file holds a secret',
  O8: 'at rest, no process of hosted-runner is left',
  O9: 'at rest, the record is done',
  O10: 'at rest, no manager of the old shard is left',
  L1: 'a failed stage reaches the goal when it runs again',
  L2: 'a finished stage changes nothing when it runs again',
  L3: 'every error names a next step',
  L4: 'every wait is bounded or resumable, and shows progress',
  L5: 'temporary faults need no operator',
  L6: 'permanent faults end in a typed error that names the shard that accepts jobs',
  L7: 'finalize acts exactly when there is something to retire',
} as const;

export type Invariant = keyof typeof invariants;

export type InvariantOutcome = 'held' | 'violated' | 'not decidable';

export interface InvariantFinding {
  readonly invariant: Invariant;
  readonly outcome: InvariantOutcome;
  readonly reasons: readonly string[];
}

/** Collects checks and violations; an invariant without a check is not decidable. */
export interface Judge {
  /** Notes that the invariant was checked. */
  countCheck(invariant: Invariant): void;
  violated(invariant: Invariant, reason: string): void;
  /** Notes a check, and a violation for this reason unless `holds`. */
  expect(invariant: Invariant, holds: boolean, reason: string): void;
  findings(): readonly InvariantFinding[];
}

export function createInvariantChecker(): Judge {
  const checkedAt = new Set<Invariant>();
  const reasons = new Map<Invariant, string[]>();
  const judge: Judge = {
    countCheck: (invariant) => void checkedAt.add(invariant),
    violated(invariant, reason) {
      checkedAt.add(invariant);
      reasons.set(invariant, [...(reasons.get(invariant) ?? []), reason]);
    },
    expect(invariant, holds, reason) {
      if (holds) judge.countCheck(invariant);
      else judge.violated(invariant, reason);
    },
    findings: () =>
      (Object.keys(invariants) as Invariant[]).map((invariant) => {
        const found = reasons.get(invariant) ?? [];
        const seen = checkedAt.has(invariant);
        const outcome = found.length > 0 ? 'violated' : seen ? 'held' : 'not decidable';
        return { invariant, outcome, reasons: found };
      }),
  };
  return judge;
}
