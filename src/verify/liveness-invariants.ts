import { isHousekeeping } from './effects.ts';
import type { EventFile, RunLog } from './event-file-parser.ts';
import type { Judge } from './judge.ts';
import { applyCall } from './model-updates.ts';
import { callsOf, emptyWorldModel, hasReached, type PortCall } from './world-model.ts';

const passing = ['unreachable', 'unavailable', 'throttled', 'read_only'];
/** Longest permitted gap: waits log once a minute, so this is far more. */
const longestOutageMs = 15 * 60_000;

/** Checks L1 to L7. */
export function checkLiveness(file: EventFile, stoodStill: boolean, judge: Judge): void {
  for (const run of file.runs) {
    judgeEnd(run, judge);
    if (!stoodStill) judgeNoResponse(run, judge);
    judgeNothing(run, judge);
    if (run.head?.command === 'finalize') judgeFinalize(run, judge);
  }
  judgeAgain(file, judge);
}

/** Checks the later runs of each failed command of a deployment. */
function judgeAgain({ runs }: EventFile, judge: Judge): void {
  const failed = new Map<string, number>();
  for (const { head, end } of runs) {
    if (head === undefined) continue;
    const key = `${head.runner} ${head.deployment} ${head.command}`;
    if (end?.exitCode === 0) {
      if (failed.has(key)) judge.countCheck('L1');
      failed.delete(key);
    } else failed.set(key, (failed.get(key) ?? 0) + 1);
    if (end?.code === 'Bug' && (failed.get(key) ?? 0) > 1)
      judge.violated(
        'L1',
        `line ${end.place}: ${head.command} was run again and ended with an internal error`,
      );
  }
}

function judgeEnd(run: RunLog, judge: Judge): void {
  const { end } = run;
  if (end === undefined || end.outcome !== 'error') return;
  judge.expect(
    'L6',
    end.code !== 'Bug' && end.code !== '',
    `line ${end.place}: the error has no name: ${end.why.join(' ')}`,
  );
  judge.expect(
    'L6',
    end.now !== undefined,
    `line ${end.place}: the error does not name the shard that accepts jobs`,
  );
  judge.expect('L3', end.fix.length > 0, `line ${end.place}: ${end.code} names no next command`);
  const failures = callsOf(run).filter((call) => passing.includes(call.failure));
  if (failures.length === 0) return;
  const blamed = failures.some(({ line }) => {
    const detail = String(line.fields['error']).split(': ').slice(1).join(': ');
    return detail !== '' && end.why.some((text) => text.includes(detail));
  });
  const isForOperator = end.exitCode === 2 || end.exitCode === 3;
  judge.expect(
    'L5',
    !(blamed && isForOperator),
    `line ${end.place}: ${end.code} requires an operator for a temporary fault`,
  );
}

/** Checks the time between lines, unless a call was in flight. */
function judgeNoResponse({ lines }: RunLog, judge: Judge): void {
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (before === undefined || before.kind === 'begin') continue;
    const isInTime = line.ms - before.ms <= longestOutageMs;
    judge.expect(
      'L4',
      isInTime,
      `line ${line.place}: ${Math.round((line.ms - before.ms) / 60_000)} minutes without output`,
    );
  }
}

interface Acted {
  readonly effects: readonly PortCall[];
  /** Phase of the record at the run's first read. */
  readonly phase: string;
}

function actsOf(run: RunLog): Acted | undefined {
  const { head } = run;
  if (head === undefined) return undefined;
  const known = emptyWorldModel();
  const effects: PortCall[] = [];
  let phase: string | undefined;
  for (const call of callsOf(run)) {
    if (call.begins && !isHousekeeping({ head, call })) effects.push(call);
    applyCall(known, call, head);
    phase ??= known.record?.phase;
  }
  return { effects, phase: phase ?? 'none' };
}

function judgeNothing(run: RunLog, judge: Judge): void {
  if (run.end?.outcome !== 'nothing') return;
  const [first] = actsOf(run)?.effects ?? [];
  judge.expect(
    'L2',
    first === undefined,
    `line ${first?.line.place}: ${first?.name} in a run that had nothing to do`,
  );
}

function judgeFinalize(run: RunLog, judge: Judge): void {
  const acted = actsOf(run);
  if (acted === undefined) return;
  const { effects, phase } = acted;
  const [first] = effects;
  const wanted = hasReached(phase, 'promoted') && phase !== 'done';
  if (first !== undefined)
    judge.expect(
      'L7',
      wanted,
      `line ${first.line.place}: finalize changed something, but the deployment is in phase ${phase}`,
    );
  if (run.end?.outcome === 'nothing')
    judge.expect(
      'L7',
      !wanted,
      `line ${run.end.place}: finalize had nothing to do, but the deployment is in phase ${phase}`,
    );
}
