import { checkEffect } from './effect-invariants.ts';
import { readEventFile } from './event-file-parser.ts';
import { firstOccurrences } from './first-occurrences.ts';
import { checkHistory, type WorldHistory } from './history.ts';
import { createInvariantChecker, type InvariantFinding } from './judge.ts';
import {
  checkDirections,
  checkSecrets,
  checkVerdicts,
  checkVersions,
  clockJumped,
} from './line-invariants.ts';
import { checkLiveness } from './liveness-invariants.ts';
import { applyCall } from './model-updates.ts';
import { checkCanaries, checkRest } from './rest-invariants.ts';
import { callsOf, emptyWorldModel } from './world-model.ts';

export interface Verification {
  readonly findings: readonly InvariantFinding[];
  readonly runs: number;
  readonly lines: number;
  readonly damage: readonly string[];
}

/** Limit of malformed lines: a file with more was not written by hosted-runner. */
const mostForeignLines = 20;

/**
 * Decides which invariants held, from a deployment's event file and, if available, the history of
 * the observed systems. It shares no code with the checked program, so it does not repeat its bugs.
 * A line with fields of other types is skipped and reported as damage.
 */
export function verifyEventFile(text: string, world?: WorldHistory): Verification {
  const lines = text.split('\n');
  const foreign: string[] = [];
  for (;;) {
    try {
      const verification = verifyLines(lines.join('\n'), world);
      return { ...verification, damage: [...foreign, ...verification.damage] };
    } catch (error) {
      const place = isOfTypes(error) ? firstUnreadable(lines, world) : undefined;
      if (place === undefined || foreign.length === mostForeignLines) throw error;
      foreign.push(`line ${place + 1} has a field of another type and is ignored`);
      lines[place] = '';
    }
  }
}

/**
 * Returns whether the error comes from a field of a wrong type: the checks rely on the file's
 * types.
 */
function isOfTypes(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

/** Finds the last line of the shortest beginning of the file that cannot be checked. */
function firstUnreadable(
  lines: readonly string[],
  world: WorldHistory | undefined,
): number | undefined {
  let [good, bad] = [0, lines.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (canVerify(lines.slice(0, middle), world)) good = middle;
    else bad = middle;
  }
  return lines[bad - 1] === '' ? undefined : bad - 1;
}

function canVerify(lines: readonly string[], world: WorldHistory | undefined): boolean {
  try {
    verifyLines(lines.join('\n'), world);
    return true;
  } catch (error) {
    if (isOfTypes(error)) return false;
    throw error;
  }
}

function verifyLines(text: string, world: WorldHistory | undefined): Verification {
  const file = readEventFile(text);
  const judge = createInvariantChecker();
  const firsts = firstOccurrences(file);
  for (const run of file.runs) {
    const { head } = run;
    if (head === undefined) continue;
    const known = emptyWorldModel();
    for (const call of callsOf(run)) {
      if (call.begins) checkEffect({ head, known, call, judge, firsts });
      applyCall(known, call, head);
    }
    checkVerdicts(run, judge);
    checkVersions(run, judge);
  }
  checkDirections(file, judge);
  checkSecrets(file, world?.tokens ?? [], judge);
  checkRest(file, judge);
  checkCanaries(file, judge);
  checkLiveness(file, world?.stoodStill === true, judge);
  if (world !== undefined) checkHistory(world, judge);
  judgeDisturbed(file.runs.some(clockJumped) || text.includes('"effect_unknown":true'), judge);
  const lines = file.runs.reduce((sum, run) => sum + run.lines.length, 0);
  return { findings: judge.findings(), runs: file.runs.length, lines, damage: file.damage };
}

/** Checks S16: all other invariants, in a run with a clock jump or lost responses. */
function judgeDisturbed(
  disturbed: boolean,
  judge: ReturnType<typeof createInvariantChecker>,
): void {
  if (!disturbed) return;
  const broken = judge.findings().filter(({ outcome }) => outcome === 'violated');
  judge.expect(
    'S16',
    broken.length === 0,
    `broken: ${broken.map((one) => one.invariant).join(', ')}`,
  );
}
