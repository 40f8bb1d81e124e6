import type { WorldHistory } from '../../../src/verify/history.ts';
import { verifyEventFile } from '../../../src/verify/verify.ts';
import type { GitLabVersion } from '../../fakes/world/gitlab-version.ts';
import type { World } from '../../fakes/world/world.ts';
import { historyOf } from '../../verify/world-history.ts';
import {
  type Beginning,
  formatScenario,
  type PlannedFault,
  type Scenario,
} from '../beginnings/scenario.ts';
import { canonicalHash } from '../canonical/canonical.ts';
import { copyWorld } from '../canonical/clone.ts';
import { isChosen } from '../chance.ts';
import { modesOf } from '../faults/fault-modes.ts';
import { createStage, playInterleaving, type Witness } from '../orders/interleavings.ts';
import { type Happening, playSequenceIn, sequenceWorld } from '../orders/sequences.ts';
import { simulate } from '../simulate.ts';

export interface Checked {
  readonly schedules: number;
  /** Number of schedules with one fault from which these were chosen. */
  readonly outOf: number;
  /** Number of schedules that decided each invariant. */
  readonly decided: Readonly<Record<string, number>>;
  readonly failures: readonly { readonly scenario: string; readonly found: readonly string[] }[];
}

/**
 * Applies the independent checker to event files and the world's history. It takes a sample of all
 * schedules with one fault from a beginning, chosen by hash.
 */
export async function checkBeginning(beginning: Beginning, oneIn: number): Promise<Checked> {
  const faults = await faultsFrom(beginning);
  const chosen = faults
    .map((fault): Scenario => ({ ...beginning, faults: [fault] }))
    .filter((scenario) => isChosen(formatScenario(scenario), oneIn));
  return checkSchedules([{ ...beginning, faults: [] }, ...chosen], faults.length + 1);
}

export async function checkSchedules(
  scenarios: readonly Scenario[],
  outOf = scenarios.length,
): Promise<Checked> {
  const decided: Record<string, number> = {};
  const failures: { scenario: string; found: readonly string[] }[] = [];
  for (const scenario of scenarios) {
    const { found, held } = await checkSchedule(scenario);
    for (const invariant of held) decided[invariant] = (decided[invariant] ?? 0) + 1;
    if (found.length > 0) failures.push({ scenario: formatScenario(scenario), found });
  }
  return { schedules: scenarios.length, outOf, decided, failures };
}

async function checkSchedule(scenario: Scenario): Promise<CheckResult> {
  const lines: string[] = [];
  const evidence = (line: string) => void lines.push(line);
  const { before, after, verdict } = await simulate(scenario, { evidence });
  const stoodStill = scenario.faults.some(({ mode }) => mode.startsWith('freeze'));
  return judge({ lines, verdict, world: historyOf(before, after, { stoodStill }) });
}

/** Applies the checker to two pipelines, an operator and the runners at once. */
export async function checkInterleaving(
  seed: number,
  gitlab?: GitLabVersion,
): Promise<CheckResult> {
  const lines: string[] = [];
  let [before, after]: (World | undefined)[] = [];
  const witness: Witness = {
    evidence: (line) => void lines.push(line),
    begins: (world) => {
      before = world;
    },
    ended: (world) => {
      after = world;
    },
  };
  const { verdict } = await playInterleaving(seed, createStage(), witness, gitlab);
  if (before === undefined || after === undefined) return { found: verdict, held: [] };
  // Actors without a turn stand still.
  return judge({ lines, verdict, world: historyOf(before, after, { stoodStill: true }) });
}

/** Applies the checker to a sequence of commands, deaths and edits. */
export async function checkSequence(steps: readonly Happening[]): Promise<CheckResult> {
  const lines: string[] = [];
  const world = await sequenceWorld();
  const before = copyWorld(world);
  const verdict = await playSequenceIn(world, steps, (line) => void lines.push(line));
  return judge({ lines, verdict, world: historyOf(before, world) });
}

export interface CheckResult {
  readonly found: readonly string[];
  /** Invariants that the schedule decided. */
  readonly held: readonly string[];
}

function judge(facts: {
  lines: readonly string[];
  verdict: readonly string[];
  world: WorldHistory;
}): CheckResult {
  const { findings, damage } = verifyEventFile(`${facts.lines.join('\n')}\n`, facts.world);
  const violated = findings.flatMap(({ invariant, reasons }) =>
    reasons.map((reason) => `${invariant}: ${reason}`),
  );
  const held = findings.filter(({ outcome }) => outcome === 'held');
  return {
    found: [...facts.verdict, ...damage, ...violated],
    held: held.map(({ invariant }) => invariant),
  };
}

/** Number of rounds of a polling loop that are struck in the same world. */
const roundsOfALoop = 2;

/** Lists every fault of every call in undisturbed runs. */
async function faultsFrom(beginning: Beginning): Promise<PlannedFault[]> {
  const faults: PlannedFault[] = [];
  const runs: string[] = [];
  const rounds = new Map<string, number>();
  await simulate(
    { ...beginning, faults: [] },
    {
      onCall(call, world) {
        const { incarnation, port, method, args, own } = call;
        if (!runs.includes(incarnation)) runs.push(incarnation);
        const about = typeof args[0] === 'string' ? args[0] : '';
        const key = `${incarnation} ${port}.${method} ${about} ${canonicalHash(world)}`;
        const round = (rounds.get(key) ?? 0) + 1;
        rounds.set(key, round);
        if (round > roundsOfALoop) return;
        const run = runs.indexOf(incarnation);
        for (const mode of modesOf(call)) faults.push({ run, call: own, mode });
      },
    },
  );
  return faults;
}
