import type { GitHubLanguage } from './github-language.ts';

/** Job in the workflow's file. */
export interface Job {
  readonly needs?: readonly string[];
  readonly if?: string;
  readonly 'continue-on-error'?: boolean;
}

export type Result = 'success' | 'failure' | 'cancelled' | 'skipped';

export interface Facts {
  readonly inputs: Readonly<Record<string, string | boolean>>;
  /** Result of a job if it runs. */
  readonly outcome: (job: string) => Exclude<Result, 'skipped'>;
  /** Job during which the whole run is cancelled. This job and the later ones see cancelled(). */
  readonly cancelledIn?: string | undefined;
  /** Status in `needs` of a failed job with continue-on-error; GitHub does not document it. */
  readonly forgivenResult: 'success' | 'failure';
}

/**
 * Returns the jobs of a workflow that run, and how each ends. The rules come from GitHub's
 * documentation of `jobs.<id>.needs`, `jobs.<id>.if` and the status functions.
 * 1. A job starts when every job that it needs has ended, even if one was skipped.
 * 2. A condition without a status function gets `success()` before it.
 * 3. `success()`: no earlier job failed, was cancelled or skipped. `failure()`: one failed.
 * 4. `cancelled()`: the run was cancelled. `always()`: in every case.
 * 5. A cancelled run ends every running job whose condition has become false, and starts a job only
 *    if its condition is true.
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
    const canContinue = holds(language, { jobs, job, results, facts, isCancelled });
    results[id] = canContinue ? facts.outcome(id) : 'cancelled';
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
  const resultOf = (id: string): Result =>
    jobs[id]?.['continue-on-error'] === true && results[id] === 'failure'
      ? facts.forgivenResult
      : (results[id] ?? 'skipped');
  const before = ancestors(jobs, job).map(resultOf);
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
  const needs = Object.fromEntries((job.needs ?? []).map((id) => [id, { result: resultOf(id) }]));
  return evaluate(language, whole, { status, needs, inputs: facts.inputs }) === 'true';
}

/** Replaces every expression of the text by its value, for a workflow with these inputs. */
export function fillIn(
  language: GitHubLanguage,
  text: string,
  inputs: Readonly<Record<string, string>>,
): string {
  return text.replace(/\$\{\{(.+?)\}\}/g, (_, expression: string) =>
    evaluate(language, expression, { status: {}, needs: {}, inputs }),
  );
}

/** Evaluates an expression with GitHub's own parser and evaluator. */
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

/** Lists every job after its needs. Throws for jobs that wait for each other. */
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
