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

/** Where a run came to, and whether it finished a deployment. */
interface Finished {
  readonly known: WorldModel;
  readonly head: Head;
  readonly retiring: string | undefined;
}

/** O1 to O10, by what the run that wrote `done` had seen before; a later deployment makes them void. */
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
  judge.looked('O9');
  judge.looked('O5');
  if (retiring === undefined) {
    for (const one of ['O1', 'O2', 'O3', 'O6', 'O10'] as const) judge.looked(one);
    return;
  }
  const exists = known.exists.get(retiring);
  if (exists !== undefined && exists !== 'unknown')
    judge.expect(
      'O1',
      exists !== 'present',
      `the infrastructure of ${retiring} was last seen to exist`,
    );
  const registered = [...known.registrations].filter(
    ([, one]) =>
      !one.gone && one.description === `${retiring}-${head.runner}` && one.unlisted !== true,
  );
  judge.expect(
    'O2',
    registered.length === 0,
    `runner ${registered.map(([id]) => id).join(', ')} of ${retiring} was last seen registered`,
  );
  const token = `${head.prefix}${retiring}/runner_token`;
  judge.expect('O3', known.absent.has(token), `${token} was not seen to be gone`);
  const hosts = hostsThere(known, retiring);
  if (hosts === 'unknown') return;
  judge.expect(
    'O6',
    hosts.length === 0,
    `host ${hosts.join(', ')} of ${retiring} was last seen to exist`,
  );
  judge.expect(
    'O10',
    hosts.length === 0,
    `host ${hosts.join(', ')} of ${retiring} was last seen to exist`,
  );
}

/** A canary that was started is over, or was cancelled, before the deployment is done. */
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
    judge.violated('O5', `line ${alive}: a canary was started, and was never seen to be over`);
}

/** cleanup, finalize and deploy end well only in a record that is done, once the status is switched. */
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
    `line ${end.place}: ${head.command} ended well, and the record is ${phase}`,
  );
}
