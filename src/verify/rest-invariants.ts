import type { EventFile, Head, RunLog } from './event-file-parser.ts';
import type { Judge } from './judge.ts';
import { checkLock } from './lock-invariants.ts';
import { applyCall } from './model-updates.ts';
import {
  callsOf,
  emptyWorldModel,
  hasReached,
  hostsThere,
  parameterIn,
  type WorldModel,
} from './world-model.ts';

/** Final knowledge of a run that finished a deployment. */
interface Finished {
  readonly known: WorldModel;
  readonly head: Head;
  readonly retiring: string | undefined;
}

/**
 * Checks O1 to O10 on the observations of the run that wrote `done`; a later deployment voids them.
 */
export function checkRest({ runs }: EventFile, judge: Judge): void {
  for (const run of runs) {
    checkLock(run, judge);
    judgeEndOfRetirement(run, judge);
    const finished = finish(run);
    if (finished !== undefined) judgeFinished(finished, judge);
  }
}

function finish(run: RunLog): Finished | undefined {
  const { head } = run;
  if (head === undefined) return undefined;
  const known = emptyWorldModel();
  let finished: Finished | undefined;
  for (const call of callsOf(run)) {
    const retiring = known.record?.retiring;
    applyCall(known, call, head);
    const writes = !call.begins && call.answered && call.name === 'parameters.overwrite';
    const isRecord = parameterIn(call).name === `${head.prefix}deployment_record`;
    if (writes && isRecord && known.record?.phase === 'done') finished = { known, head, retiring };
  }
  return finished;
}

function judgeFinished({ known, head, retiring }: Finished, judge: Judge): void {
  judge.countCheck('O9');
  judge.countCheck('O5');
  if (retiring === undefined) {
    for (const one of ['O1', 'O2', 'O3', 'O6', 'O10'] as const) judge.countCheck(one);
    return;
  }
  const exists = known.exists.get(retiring);
  if (exists !== undefined && exists !== 'unknown')
    judge.expect(
      'O1',
      exists !== 'present',
      `the infrastructure of ${retiring} existed when it was last observed`,
    );
  const registered = [...known.registrations].filter(
    ([, one]) =>
      !one.gone && one.description === `${retiring}-${head.runner}` && one.unlisted !== true,
  );
  judge.expect(
    'O2',
    registered.length === 0,
    `runner ${registered.map(([id]) => id).join(', ')} of ${retiring} was registered when it was last observed`,
  );
  const token = `${head.prefix}${retiring}/runner_token`;
  judge.expect('O3', known.absent.has(token), `the removal of ${token} was not observed`);
  const hosts = hostsThere(known, retiring);
  if (hosts === 'unknown') return;
  judge.expect(
    'O6',
    hosts.length === 0,
    `host ${hosts.join(', ')} of ${retiring} existed when it was last observed`,
  );
  judge.expect(
    'O10',
    hosts.length === 0,
    `host ${hosts.join(', ')} of ${retiring} existed when it was last observed`,
  );
}

/** Checks that every started canary ended or was cancelled before the deployment was done. */
export function checkCanaries({ runs }: EventFile, judge: Judge): void {
  let alive: number | undefined;
  const calls = runs.flatMap((run) => callsOf(run)).sort((a, b) => a.line.place - b.line.place);
  for (const call of calls) {
    if (call.begins || !call.name.startsWith('canary.')) continue;
    const { status } = (call.answer ?? {}) as { status?: string };
    if (call.name === 'canary.start') alive = call.line.place;
    else if (call.name === 'canary.cancel' && call.answered) alive = undefined;
    else if (['success', 'failed', 'canceled'].includes(status ?? '')) alive = undefined;
  }
  if (alive !== undefined)
    judge.violated('O5', `line ${alive}: a canary was started, but its end was not observed`);
}

/**
 * Checks that cleanup, finalize and deploy succeed only with a finished record after the switch.
 */
function judgeEndOfRetirement(run: RunLog, judge: Judge): void {
  const { head, end } = run;
  if (head === undefined || end?.outcome !== 'done') return;
  if (!['cleanup', 'finalize', 'deploy'].includes(head.command)) return;
  const known = emptyWorldModel();
  for (const call of callsOf(run)) applyCall(known, call, head);
  const { phase = 'none' } = known.record ?? {};
  const unfinished = hasReached(phase, 'promoted') && phase !== 'done';
  judge.expect(
    'O9',
    !unfinished,
    `line ${end.place}: ${head.command} succeeded, but the record is ${phase}`,
  );
}
