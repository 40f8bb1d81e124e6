/** The invariants by name, in a few words each; docs/understand/simulation.md says what judges which. */
export const invariants = {
  S1: 'never fewer than one shard serves',
  S2: 'nothing that has a job is terminated, forced, removed or loses its token',
  S3: 'no job is lost or run twice because of us',
  S4: 'the status is switched only on this deployment’s evidence, taken after its last apply',
  S5: 'one deployment has one direction, and switches the status once',
  S6: 'infrastructure touches the stage’s shard only, and no candidate that has production tags',
  S7: 'nothing is destroyed without proof of drain or of never having served',
  S8: 'no effect while record, status and reality contradict',
  S9: 'no two owners of a stack unnoticed; no effect of a superseded pipeline',
  S10: 'no pause hits the active shard',
  S11: 'no absence of an answer is read as a good answer',
  S12: 'no secret is written',
  S13: 'no person’s change is overwritten in silence',
  S14: 'the runner that runs us is not drained',
  S15: 'no other stack is touched',
  S16: 'no jump of the clock and no duplicate breaks any of these',
  S19: 'a bake’s verdict takes a deployment back once, to a proven shard; who is retired was baked',
  O1: 'at rest, one shard has infrastructure',
  O2: 'at rest, only the live shard is registered',
  O3: 'at rest, no token of a dead shard is left',
  O4: 'at rest, nobody owns the lock',
  O5: 'at rest, no canary is left',
  O6: 'at rest, nothing of ours is outside of a state',
  O7: 'at rest, no file holds a secret',
  O8: 'at rest, no process of ours is left',
  O9: 'at rest, the record is done',
  O10: 'at rest, no manager of the old shard is left',
  L1: 'a failed stage that is run again reaches the goal',
  L2: 'a finished stage that is run again changes nothing',
  L3: 'every end in an error names a way on',
  L4: 'every wait is bounded or resumable, and shows progress',
  L5: 'passing faults need no person',
  L6: 'lasting faults end in a typed error that says what serves',
  L7: 'finalize acts exactly when there is something to retire',
} as const;

export type Invariant = keyof typeof invariants;

export type InvariantOutcome = 'held' | 'violated' | 'not decidable';

export interface InvariantFinding {
  readonly invariant: Invariant;
  readonly outcome: InvariantOutcome;
  readonly reasons: readonly string[];
}

/** Collects what was looked at and what was found; what nobody looked at is not decidable. */
export interface Judge {
  /** Something was there to be judged. */
  looked(invariant: Invariant): void;
  violated(invariant: Invariant, reason: string): void;
  /** `holds`, or it is violated for this reason. */
  expect(invariant: Invariant, holds: boolean, reason: string): void;
  findings(): readonly InvariantFinding[];
}

export function createJudge(): Judge {
  const checkedAt = new Set<Invariant>();
  const reasons = new Map<Invariant, string[]>();
  const judge: Judge = {
    looked: (invariant) => void checkedAt.add(invariant),
    violated(invariant, reason) {
      checkedAt.add(invariant);
      reasons.set(invariant, [...(reasons.get(invariant) ?? []), reason]);
    },
    expect(invariant, holds, reason) {
      if (holds) judge.looked(invariant);
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
