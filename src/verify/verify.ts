import { judgeEffect } from './effect-rules.ts';
import { readEventFile } from './event-file.ts';
import { firstsOf } from './firsts.ts';
import { judgeHistory, type WorldHistory } from './history.ts';
import { createJudge, type Finding } from './judge.ts';
import { callsOf, nothingKnown } from './known.ts';
import { learn } from './learning.ts';
import {
  clockJumped,
  judgeDirections,
  judgeSecrets,
  judgeVerdicts,
  judgeVersions,
} from './lines.ts';
import { judgeLiveness } from './liveness.ts';
import { judgeCanaries, judgeRest } from './rest.ts';

export interface Verification {
  readonly findings: readonly Finding[];
  readonly runs: number;
  readonly lines: number;
  readonly damage: readonly string[];
}

/**
 * Decides from what a deployment has written, and where there is one from the world's own history,
 * which invariants held. Shares no code with what it judges: a mistake there is not made here again.
 */
export function verifyEventFile(text: string, world?: WorldHistory): Verification {
  const file = readEventFile(text);
  const judge = createJudge();
  const firsts = firstsOf(file);
  for (const run of file.runs) {
    const { head } = run;
    if (head === undefined) continue;
    const known = nothingKnown();
    for (const call of callsOf(run)) {
      if (call.begins) judgeEffect({ head, known, call, judge, firsts });
      learn(known, call, head);
    }
    judgeVerdicts(run, judge);
    judgeVersions(run, judge);
  }
  judgeDirections(file, judge);
  judgeSecrets(file, world?.tokens ?? [], judge);
  judgeRest(file, judge);
  judgeCanaries(file, judge);
  judgeLiveness(file, world?.stoodStill === true, judge);
  if (world !== undefined) judgeHistory(world, judge);
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
