import type { EventFile } from './event-file-parser.ts';
import { callsOf, parameterIn, type RecordState, readRecord } from './world-model.ts';

/**
 * Line in which each note of a record was first written: an order independent of clock jumps.
 * `undefined`: it existed before the first line.
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

/**
 * Returns whether the candidate's evidence is from this deployment, and newer than the last apply
 * with a change.
 */
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
  // Notes that the file does not show being written are compared by their clocks.
  const moment = Date.parse(evidence.at);
  return moment >= startedAt && (!changed || moment >= Date.parse(apply.at));
}
