import { describe, expect, test } from '@jest/globals';
import { gitlabAnswers } from '../../../src/adapters/gitlab/gitlab-answers.ts';
import { checkServer } from '../../../src/app/compose/server-probe.ts';
import { isPortFailure, type PortFailure } from '../../../src/ports/failure.ts';
import type { Log } from '../../../src/ports/log-event.ts';
import { sampleOf } from '../../support/sample.ts';
import { token } from '../scripted-gitlab.ts';
import { concrete, createAnsweringGitLab } from './answering-gitlab.ts';
import { cannotBe, elsewhere, everywhere, expectedOf, type Outcome } from './expectations.ts';
import {
  type Condition,
  calls,
  type Endpoint,
  endpointsOf,
  isAssumed,
  type KnownAnswer,
  versions,
} from './known-answers.ts';
import { type Question, withValues } from './question.ts';
import { beyondTheData, notQueried, questions } from './questions.ts';
import { results } from './results.ts';

const supported = versions.slice(versions.indexOf('17.5'));

for (const version of supported) {
  for (const endpoint of sampleOf(endpointsOf(version), ({ call }) => `${version} ${call}`)) {
    describe(`GitLab ${version}: ${endpoint.call}`, () => {
      for (const question of questions.filter(({ call }) => call === endpoint.call)) {
        describe(question.by, () => holdGood(version, endpoint, question));
        describe(question.by, () => holdBad(version, endpoint, question));
      }
    });
  }
}

function holdGood(version: string, endpoint: Endpoint, question: Question): void {
  for (const [name, answer] of goodAnswers(endpoint)) {
    const title = `reads it: ${name}`;
    test(title, async () => {
      const variant = name === 'success' ? '' : ` ${name}`;
      const result = results[`${question.by} ${question.call}${variant}`];
      expect(result).toBeDefined();
      const made = withValues(answer, question.values ?? {});
      const ending = await runQuery(version, { question, answer: made, is: 'good' });
      expect(ending).toEqual({ value: result?.(version) });
    });
  }
}

function holdBad(version: string, { conditions }: Endpoint, question: Question): void {
  for (const condition of conditions) {
    const name = reportedBy(question, condition);
    test(name, async () => {
      const ending = await runQuery(version, { question, answer: condition, is: 'bad' });
      expect(outcomeOf(question, ending)).toBe(expectedOf(question.by, condition.condition));
      if ('failure' in ending) expectTruthful(ending.failure, { version, question, condition });
    });
  }
}

const older = versions.filter((version) => !supported.includes(version));

describe.each(older)('GitLab %s, older than the oldest supported version', (version) => {
  test('reports its version', async () => {
    const [probe] = questions.filter(({ by }) => by === 'readServer');
    const answer = endpointsOf(version).find(({ call }) => call === probe?.call)?.success;
    if (probe === undefined || answer === undefined) throw new Error('nobody greets');
    expect(await runQuery(version, { question: probe, answer, is: 'good' })).toEqual({
      value: { version: `${version}.1-ee`, enterprise: true },
    });
  });

  test('causes a refusal by its version before anything is built', async () => {
    const metadata = endpointsOf(version).find(({ call }) => call === 'GET /metadata')?.success;
    const { version: reported } = concrete(metadata?.body, version) as { version: string };
    const server = { version: reported, enterprise: true };
    const log = { event: () => undefined } as unknown as Log;
    let refusal: unknown;
    try {
      checkServer({ kind: 'server', server }, { log, probes: true });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({
      code: 'GitLabTooOld',
      message: `GitLab ${reported} is too old; 17.5 is the oldest supported version, and no shard was touched.`,
    });
  });

  test('turns every response into a value or a typed failure', async () => {
    let answers = 0;
    for (const { call, success, variants, conditions } of endpointsOf(version)) {
      const all = [...(success === undefined ? [] : [success]), ...Object.values(variants)];
      for (const question of questions.filter((one) => one.call === call)) {
        for (const answer of [...all, ...conditions]) {
          const ending = await runQuery(version, { question, answer, is: 'bad' });
          expect(Object.keys(ending)).toHaveLength(1);
          answers += 1;
        }
      }
    }
    expect(answers).toBeGreaterThan(300);
  });
});

describe('The adapter against the recorded GitLab responses', () => {
  const counts = [
    'GitLab 17.5: 26 endpoints, 30 answers, 338 error answers (81 assumed)',
    'GitLab 17.11: 26 endpoints, 30 answers, 338 error answers (81 assumed)',
    'GitLab 18.0: 26 endpoints, 30 answers, 338 error answers (81 assumed)',
    'GitLab 18.7: 26 endpoints, 31 answers, 339 error answers (81 assumed)',
    'GitLab 18.9: 26 endpoints, 32 answers, 350 error answers (84 assumed)',
    'GitLab 19.1: 26 endpoints, 32 answers, 352 error answers (84 assumed)',
    'GitLab 19.3: 26 endpoints, 32 answers, 372 error answers (84 assumed)',
  ];

  // The run prints these names at its end.
  test.each(counts)('%s', () => {
    expect(supported.map(countsOf)).toEqual(counts);
  });
});

describe('the recorded responses', () => {
  test('cover every endpoint that is used, and name every unused one', () => {
    const queried = new Set(questions.map(({ call }) => call));
    expect(calls.filter((call) => queried.has(call) === call in notQueried)).toEqual([]);
    expect(Object.keys(notQueried).filter((call) => !calls.includes(call))).toEqual([]);
  });

  test('contain every call whose response is read, except the named ones', () => {
    const read = gitlabAnswers.map(({ call }) => call).filter((call) => !calls.includes(call));
    const twin = 'GET /projects/:id/members/all/:user_id';
    expect([...new Set(read)].filter((call) => call !== twin)).toEqual(Object.keys(beyondTheData));
  });

  test('match conditions and expectations one to one', () => {
    const conditions = conditionsOf(({ call }) => !(call in notQueried));
    expect(conditions.filter((condition) => !(condition in everywhere))).toEqual([]);
    const known = conditionsOf(({ isRunners }) => !isRunners);
    const expected = [everywhere, ...Object.values(elsewhere)].flatMap(Object.keys);
    const unknown = expected.filter((condition) => !known.includes(condition));
    expect(unknown.filter((condition) => condition !== '*')).toEqual([]);
    const methods = new Set(questions.map(({ by }) => by));
    expect(Object.keys(elsewhere).filter((by) => !methods.has(by))).toEqual([]);
  });

  test('mark conditions without a recorded response as assumed', () => {
    const of = (evidence: string) => isAssumed({ condition: '', status: 400, evidence });
    expect(['K', 'S 1; wording K', 'S 1 (project text I)', 'S 1; inner text I'].map(of)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['S 4639140725 (find_by!)', 'D 1, 2; S 3', 'S 1 (Is KEPT)'].map(of)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

type Ending = { readonly value: unknown } | { readonly failure: PortFailure };

async function runQuery(version: string, { question, answer, is }: QuestionRow): Promise<Ending> {
  const overrides = { ...question.world?.(version, is, answer), [question.call]: answer };
  try {
    return { value: await question.send(createAnsweringGitLab(version, overrides)) };
  } catch (error) {
    // Any other error is a crash.
    if (!isPortFailure(error)) throw error;
    return { failure: error };
  }
}

interface QuestionRow {
  readonly question: Question;
  readonly answer: KnownAnswer;
  readonly is: 'good' | 'bad';
}

function goodAnswers({ success, variants }: Endpoint): [string, KnownAnswer][] {
  const named = Object.entries(variants).filter(([name]) => !(name in cannotBe));
  return success === undefined ? [] : [['success', success], ...named];
}

function reportedBy({ by }: Question, condition: Condition): string {
  const outcome = expectedOf(by, condition.condition) ?? 'without an expectation';
  const assumed = isAssumed(condition) ? ', if it is as assumed' : '';
  return `"${condition.condition}" is ${outcome}${assumed}`;
}

function outcomeOf({ by, about }: Question, ending: Ending): Outcome | string {
  if ('failure' in ending) return ending.failure.kind;
  const { value } = ending;
  if (value === undefined || value === 'absent')
    return by.startsWith('canary') || value ? 'absent' : 'done';
  if (value === 'unknown') return 'unknown';
  // Result for a runner's projects.
  if (typeof value === 'object' && value !== null && 'added' in value) return 'done';
  if (Array.isArray(value) && about !== undefined) {
    const outcomes = value as { what: string; outcome: string }[];
    return outcomes.find(({ what }) => what.startsWith(about))?.outcome ?? 'not told';
  }
  const { kind } = value as { kind?: string };
  return kind ?? `answered ${JSON.stringify(value)}`;
}

/**
 * Expects GitLab's own text, the queried address, and whether the write may have had an effect.
 */
function expectTruthful(
  failure: PortFailure,
  { version, question, condition }: { version: string; question: Question; condition: Condition },
): void {
  const { status, body } = concrete<KnownAnswer>(condition, version);
  const [method] = question.call.split(' ');
  // Read-only mode refuses all writes, so the write had no effect.
  const mayHaveChanged = method !== 'GET' && status >= 500 && failure.kind !== 'read_only';
  expect(failure).toMatchObject({ status, effect: mayHaveChanged ? 'unknown' : 'none' });
  expect(failure.source).toMatch(new RegExp(`^GitLab ${question.call.replace(/:\w+/g, '\\w+')}$`));
  for (const words of status < 400 ? [] : wordsIn(body)) expect(failure.detail).toContain(words);
  expect(failure.message).not.toContain(token);
}

function wordsIn(body: unknown): string[] {
  if (typeof body === 'string') return [body.trim()];
  if (typeof body !== 'object' || body === null) return [];
  return Object.values(body).flatMap(wordsIn);
}

function conditionsOf(wanted: (endpoint: Endpoint) => boolean): string[] {
  const endpoints = supported.flatMap(endpointsOf).filter(wanted);
  return endpoints.flatMap(({ conditions }) => conditions.map(({ condition }) => condition));
}

function countsOf(version: string): string {
  const endpoints = endpointsOf(version).filter(({ call }) => !(call in notQueried));
  const good = endpoints.flatMap(goodAnswers).length;
  const bad = endpoints.flatMap(({ conditions }) => conditions);
  const assumed = bad.filter(isAssumed).length;
  return `GitLab ${version}: ${endpoints.length} endpoints, ${good} answers, ${bad.length} error answers (${assumed} assumed)`;
}
