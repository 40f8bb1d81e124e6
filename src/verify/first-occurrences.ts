import type { EventFile } from './event-file-parser.ts';
import { callsOf, parameterIn, type RecordState, readRecord } from './world-model.ts';

/**
 * In which line each note of a record was written first: an order that no jump of a clock disturbs.
 * `undefined`: it was there before the first line.
 */
export type FirstOccurrences = ReadonlyMap<string, number | undefined>;

export function firstOccurrences({ runs }: EventFile): FirstOccurrences {
  const firsts = new Map<string, number | undefined>();
  const calls = runs.flatMap((run) => callsOf(run).map((call) => ({ call, head: run.head })));
  for (const { call, head } of calls.sort((a, b) => a.call.line.place - b.call.line.place)) {
    const { name, value } = parameterIn(call);
    if (name !== `${head?.prefix}deployment_record`) continue;
    const record = readRecord(value ?? (call.answer as { value?: string } | undefined)?.value);
    if (record === undefined) continue;
    for (const note of notesOf(record))
      if (!firsts.has(note)) firsts.set(note, value === undefined ? undefined : call.line.place);
  }
  return firsts;
}

function notesOf(record: RecordState): string[] {
  return Object.entries(record.shards).flatMap(([shard, { evidence, last_apply: apply }]) => [
    `started ${record.startedAt}`,
    ...(evidence === undefined ? [] : [`evidence ${shard} ${evidence.at}`]),
    ...(apply === undefined ? [] : [`apply ${shard} ${apply.at}`]),
  ]);
}

/** Whether the candidate's evidence is of this deployment, and newer than the last apply that changed something. */
export function isProven(firsts: FirstOccurrences, record: RecordState): boolean {
  const { candidate, startedAt } = record;
  const { evidence, last_apply: apply } = record.shards[candidate] ?? {};
  if (evidence === undefined) return false;
  const counts = [apply?.['added'], apply?.['changed'], apply?.['destroyed']];
  const changed = apply !== undefined && counts.some((count) => count !== 0);
  const at = firsts.get(`evidence ${candidate} ${evidence.at}`);
  const since = [`started ${startedAt}`, ...(changed ? [`apply ${candidate} ${apply.at}`] : [])];
  if (at !== undefined && since.every((note) => firsts.has(note)))
    return since.every((note) => (firsts.get(note) ?? 0) < at);
  // What a file does not show being written is compared by the clocks that wrote it.
  const moment = Date.parse(evidence.at);
  return moment >= startedAt && (!changed || moment >= Date.parse(apply.at));
}
