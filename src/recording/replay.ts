import { failureOf } from '../adapters/transport/answers/outcome-failure.ts';
import { refusalOf } from '../adapters/transport/answers/refusal.ts';
import { readShape } from '../adapters/transport/answers/shape.ts';
import type { TransportAnswer } from '../adapters/transport/request.ts';
import { createRedactor, type Redactor } from '../adapters/transport/words/redaction.ts';
import { isPortFailure } from '../ports/failure.ts';
import { type AnswerKnowledge, readAnswerKnowledge } from './answer-knowledge.ts';
import { differencesOf } from './difference.ts';
import { readersOf } from './recording.ts';
import { type RecordedCall, readRecording } from './recording-lines.ts';

/** Result of replaying one recorded response. */
export interface Replayed {
  readonly line: number;
  readonly call: string;
  readonly status?: number;
  readonly version?: string;
  readonly outcome: 'read' | 'unread' | 'refused' | 'not_asked' | 'failed';
  /** Reader that failed and its reason, or the kind of failure of a refusal. */
  readonly detail: string;
  /** Differences from the known responses of that version. */
  readonly differences: readonly string[];
  /** Known version of the comparison. */
  readonly against?: string;
}

export interface Replay {
  readonly runs: number;
  readonly versions: readonly string[];
  readonly answers: readonly Replayed[];
  readonly damage: readonly string[];
}

/** Reads every response of a recording with the program's own schemas. */
export function replay(text: string): Replay {
  const { runs, calls, damage } = readRecording(text);
  const reading = { known: readAnswerKnowledge(), redactor: createRedactor() };
  const byLine = new Map<number, Replayed>();
  const answers = calls.map((call) => {
    const { ending } = call;
    const before = ending.kind === 'same_as' ? byLine.get(ending.line) : undefined;
    const replayed = before ? { ...before, line: call.line } : replayCall(call, reading);
    byLine.set(call.line, replayed);
    return replayed;
  });
  const versions = calls.flatMap(({ version }) => (version === undefined ? [] : [version]));
  return { runs, versions: [...new Set(versions)], answers, damage };
}

interface Reading {
  readonly known: AnswerKnowledge;
  readonly redactor: Redactor;
}

function replayCall(recorded: RecordedCall, { known: all, redactor }: Reading): Replayed {
  const { line, call, version, system, ending } = recorded;
  const facts = { line, call, ...(version === undefined ? {} : { version }) };
  if (ending.kind === 'failed' || ending.kind === 'same_as') {
    const detail =
      ending.kind === 'failed' ? ending.reason : 'the line that it refers to is missing';
    return { ...facts, outcome: 'failed', detail, differences: [] };
  }
  const { status } = ending;
  const known = system === 'gitlab' && version !== undefined ? all.of(call, version) : undefined;
  const answered = ending.kind === 'answer' ? ending : undefined;
  return {
    ...facts,
    status,
    ...read(recorded, ending, redactor),
    differences:
      known === undefined || answered === undefined
        ? []
        : differencesOf(answered, known, all.vocabulary),
    ...(known === undefined ? {} : { against: known.version }),
  };
}

type Answered = Exclude<RecordedCall['ending'], { kind: 'failed' | 'same_as' }>;

function read(
  { call, system, statusFilter }: RecordedCall,
  ending: Answered,
  redactor: Redactor,
): Pick<Replayed, 'outcome' | 'detail'> {
  const { status } = ending;
  const readers = readersOf(system, { call, status: statusFilter });
  if (status >= 300) return { outcome: 'refused', detail: refusalIn(call, ending, redactor) };
  if (readers.length === 0)
    return { outcome: 'not_asked', detail: 'hosted-runner does not send this request' };
  if (ending.kind === 'not_json')
    return { outcome: 'unread', detail: `it is not JSON, but ${ending.detail}` };
  const unread = readers.flatMap(({ by, schema }) => {
    try {
      readShape(schema, ending.answer, { source: call, effect: 'none', redactor });
      return [];
    } catch (error) {
      if (!isPortFailure(error)) throw error;
      return [`${by}: ${error.detail}`];
    }
  });
  return unread.length === 0
    ? { outcome: 'read', detail: '' }
    : { outcome: 'unread', detail: unread.join('; ') };
}

/** Classifies a refusal with the program's own code. */
function refusalIn(call: string, ending: Answered, redactor: Redactor): string {
  const [method = 'GET'] = call.split(' ');
  const headers = new Map(Object.entries(ending.headers));
  const answer: TransportAnswer = {
    status: ending.status,
    headers: { get: (name) => headers.get(name) ?? null, entries: () => headers.entries() },
    body: ending.kind === 'answer' ? JSON.stringify(ending.answer ?? '') : '<html>',
  };
  const request = { method, url: new URL('https://recorded.invalid/'), source: call };
  const failure =
    failureOf({ kind: 'answer', answer }, request, { redactor, reason: '' }) ??
    refusalOf(answer, { source: call, redactor });
  return `${failure.kind}: ${failure.detail}`;
}
