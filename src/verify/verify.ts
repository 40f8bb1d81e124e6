import { checkEffect } from './effect-invariants.ts';
import { readEventFile } from './event-file-parser.ts';
import { firstOccurrences } from './first-occurrences.ts';
import { checkHistory, type WorldHistory } from './history.ts';
import { createJudge, type InvariantFinding } from './judge.ts';
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

/** A file with more such lines was not written by this program. */
const mostForeignLines = 20;

/**
 * Decides from what a deployment has written, and where there is one from the world's own history,
 * which invariants held. Shares no code with what it judges: a mistake there is not made here again.
 * A line whose fields have other types than the program writes is left out and named as damage.
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
      foreign.push(`line ${place + 1} has a field of another type, and is left out`);
      lines[place] = '';
    }
  }
}

/** What a field of a wrong type ends in: the judges take the types of a file for granted. */
function isOfTypes(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

/** The last line of the shortest beginning of the file that cannot be judged. */
function firstUnreadable(
  lines: readonly string[],
  world: WorldHistory | undefined,
): number | undefined {
  let [good, bad] = [0, lines.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isJudged(lines.slice(0, middle), world)) good = middle;
    else bad = middle;
  }
  return lines[bad - 1] === '' ? undefined : bad - 1;
}

function isJudged(lines: readonly string[], world: WorldHistory | undefined): boolean {
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
  const judge = createJudge();
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

/** S16 is about the others, in a run whose clock jumped or whose answers were lost. */
function judgeDisturbed(disturbed: boolean, judge: ReturnType<typeof createJudge>): void {
  if (!disturbed) return;
  const broken = judge.findings().filter(({ outcome }) => outcome === 'violated');
  judge.expect(
    'S16',
    broken.length === 0,
    `broken: ${broken.map((one) => one.invariant).join(', ')}`,
  );
}
