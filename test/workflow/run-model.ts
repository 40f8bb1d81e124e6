import type { GitHubLanguage } from './github-language.ts';

/** A job as the workflow's file has it. */
export interface Job {
  readonly needs?: readonly string[];
  readonly if?: string;
  readonly 'continue-on-error'?: boolean;
}

export type Result = 'success' | 'failure' | 'cancelled' | 'skipped';

export interface Facts {
  readonly inputs: Readonly<Record<string, string | boolean>>;
  /** What becomes of a job if it runs. */
  readonly outcome: (job: string) => Exclude<Result, 'skipped'>;
  /** The job during which the whole run is cancelled; it and what follows see cancelled(). */
  readonly cancelledIn?: string | undefined;
  /** What `needs` says of a failed job with continue-on-error; GitHub does not document it. */
  readonly forgivenResult: 'success' | 'failure';
}

/**
 * Which jobs of a workflow run, and how each ends. The rules, from GitHub's documentation of
 * `jobs.<id>.needs`, `jobs.<id>.if` and of the status functions:
 * 1. a job starts when every job that it needs has ended, also when one was skipped
 * 2. without a status function in its condition, success() is put before it
 * 3. success(): no job before it, however far, failed, was cancelled or skipped; failure(): one failed
 * 4. cancelled(): the run was cancelled; always(): whatever happened
 * 5. a cancelled run ends every running job whose condition is no longer true, and starts a job only
 *    where its condition is true
 */
export function playWorkflow(
  language: GitHubLanguage,
  jobs: Readonly<Record<string, Job>>,
  facts: Facts,
): Record<string, Result> {
  const results: Record<string, Result> = {};
  let isCancelled = false;
  for (const id of inOrder(jobs)) {
    const job = jobs[id] ?? {};
    if (!holds(language, { jobs, job, results, facts, isCancelled })) {
      results[id] = 'skipped';
      continue;
    }
    if (facts.cancelledIn !== id) {
      results[id] = facts.outcome(id);
      continue;
    }
    isCancelled = true;
    const goesOn = holds(language, { jobs, job, results, facts, isCancelled });
    results[id] = goesOn ? facts.outcome(id) : 'cancelled';
  }
  return results;
}

interface Place {
  readonly jobs: Readonly<Record<string, Job>>;
  readonly job: Job;
  readonly results: Readonly<Record<string, Result>>;
  readonly facts: Facts;
  readonly isCancelled: boolean;
}

function holds(
  language: GitHubLanguage,
  { jobs, job, results, facts, isCancelled }: Place,
): boolean {
  const said = (id: string): Result =>
    jobs[id]?.['continue-on-error'] === true && results[id] === 'failure'
      ? facts.forgivenResult
      : (results[id] ?? 'skipped');
  const before = ancestors(jobs, job).map(said);
  const status: Record<string, boolean> = {
    always: true,
    cancelled: isCancelled,
    failure: before.includes('failure'),
    success: !isCancelled && before.every((result) => result === 'success'),
  };
  const text = (job.if ?? 'success()').replace(/^\s*\$\{\{|\}\}\s*$/g, '');
  const whole = /\b(?:always|cancelled|failure|success)\(/.test(text)
    ? text
    : `success() && (${text})`;
  const needs = Object.fromEntries((job.needs ?? []).map((id) => [id, { result: said(id) }]));
  return evaluate(language, whole, { status, needs, inputs: facts.inputs }) === 'true';
}

/** Every expression of the text in the place of itself, for a workflow that has these inputs. */
export function fillIn(
  language: GitHubLanguage,
  text: string,
  inputs: Readonly<Record<string, string>>,
): string {
  return text.replace(/\$\{\{(.+?)\}\}/g, (_, expression: string) =>
    evaluate(language, expression, { status: {}, needs: {}, inputs }),
  );
}

/** By GitHub's own parser and evaluator of expressions. */
function evaluate(
  { data, Lexer, Parser, Evaluator }: GitHubLanguage,
  text: string,
  world: {
    status: Readonly<Record<string, boolean>>;
    needs: Readonly<Record<string, { result: string }>>;
    inputs: Readonly<Record<string, string | boolean>>;
  },
): string {
  const pair = (key: string, value: unknown) => ({ key, value });
  const words = (record: Readonly<Record<string, string | boolean>>) =>
    Reflect.construct(
      data.Dictionary,
      Object.entries(record).map(([key, value]) =>
        pair(
          key,
          Reflect.construct(typeof value === 'boolean' ? data.BooleanData : data.StringData, [
            value,
          ]),
        ),
      ),
    );
  const context = Reflect.construct(data.Dictionary, [
    pair('inputs', words(world.inputs)),
    pair(
      'needs',
      Reflect.construct(
        data.Dictionary,
        Object.entries(world.needs).map(([key, value]) => pair(key, words(value))),
      ),
    ),
  ]);
  const functions = Object.entries(world.status).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => Reflect.construct(data.BooleanData, [value]),
  }));
  const tree = new Parser(new Lexer(text).lex().tokens, ['inputs', 'needs'], functions).parse();
  const byName = new Map(functions.map((one) => [one.name, one]));
  return new Evaluator(tree, context, byName).evaluate().coerceString();
}

function ancestors(jobs: Place['jobs'], job: Job): string[] {
  const found = new Set<string>();
  const visit = ({ needs = [] }: Job) => {
    for (const id of needs) {
      if (found.has(id)) continue;
      found.add(id);
      visit(jobs[id] ?? {});
    }
  };
  visit(job);
  return [...found];
}

/** Every job after what it needs. Throws where jobs wait for each other. */
export function inOrder(jobs: Place['jobs']): string[] {
  const ordered: string[] = [];
  for (let left = Object.keys(jobs); left.length > 0; ) {
    const ready = left.filter((id) =>
      (jobs[id]?.needs ?? []).every((need) => ordered.includes(need)),
    );
    if (ready.length === 0) throw new Error(`these jobs wait for each other: ${left.join(', ')}`);
    ordered.push(...ready);
    left = left.filter((id) => !ready.includes(id));
  }
  return ordered;
}
