import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { DeployError } from '../../../src/errors/deploy-error.ts';
import type { DrawnDrain, DrawnJob } from './drawing.ts';
import { runDrain } from './run-drain.ts';
import { askGitLab, type DrainedStack, type ServingShard, writePromoted } from './stack.ts';
import type { Declared } from './witness.ts';

/** What was seen over all lanes. */
export interface Books {
  readonly declared: Declared[];
  readonly cancelled: Set<number>;
  /** A line for each drain that did not end, with what it said. */
  readonly unfinished: string[];
  /** A person opened the runner between the last look and the decision: nobody could know. */
  readonly openedUnseen: number[];
  runs: number;
}

const project = 201;
const mostRuns = 10;
/** A run that hangs is cancelled, so that the test tells what it waited for. */
const longestRunMs = 300_000;

/** Drains one shard of a stack as drawn, and opens it again. */
export async function playDrain(
  sandbox: Sandbox,
  { stack, drawn, books }: { stack: DrainedStack; drawn: DrawnDrain; books: Books },
): Promise<void> {
  const retiring = stack.shards[drawn.number % 2] as ServingShard;
  const { registration, instance, shard } = retiring;
  writePromoted(sandbox, stack, { retiring: shard, now: sandbox.clock.now() });
  const over = new AbortController();
  if (drawn.silent !== 'never') sandbox.fleet.setAgent(instance, 'lost');
  const opened: Opening = { from: Number.NaN, to: Number.NaN };
  const happenings = [
    ...drawn.jobs.map((job) => submit(sandbox, { stack, job, books })),
    ...(typeof drawn.silent === 'number'
      ? [later(drawn.silent, over.signal, () => sandbox.fleet.setAgent(instance, 'online'))]
      : []),
    ...(drawn.reopenAtMs === undefined
      ? []
      : [
          later(drawn.reopenAtMs, over.signal, async () => {
            opened.from = sandbox.clock.now();
            await intake(sandbox, registration, 'open');
            opened.to = sandbox.clock.now();
          }),
        ]),
  ];
  await sleep(leadMs);
  await everyJobIsTaken(sandbox, stack);
  const begunAt = sandbox.clock.now();
  const end = await drainToEnd(sandbox, { stack, retiring, drawn, books, opened });
  over.abort();
  await Promise.all(happenings);
  if (end !== undefined) {
    // A while in which the next job would be taken if the intake were not closed.
    await sleep(afterwardsMs);
    const to = declaredUntil(end, opened, sandbox.clock.now());
    if (to === undefined) books.openedUnseen.push(drawn.number);
    else books.declared.push({ number: drawn.number, registration, begunAt, from: end.at, to });
  }
  sandbox.fleet.setAgent(instance, 'online');
  await intake(sandbox, registration, 'open');
}

/** When a person opened the runner again; a fault may strike that as well, so it takes its time. */
interface Opening {
  from: number;
  to: number;
}

/** Until when nothing may run; undefined where a person opened the runner after the last look at it. */
function declaredUntil(end: End, opened: Opening, now: number): number | undefined {
  if (Number.isNaN(opened.from) || opened.to < end.lookBefore) return now;
  return opened.from > end.at ? opened.from : undefined;
}

/** On a slow machine a runner takes a job later than drawn, and the drain waits for that. */
async function everyJobIsTaken(sandbox: Sandbox, { settings }: DrainedStack): Promise<void> {
  const isPending = () =>
    sandbox.gitlab
      .jobs()
      .some(({ status, tags }) => status === 'pending' && tags.includes(settings.runnerName));
  const deadline = performance.now() + longestTakingMs;
  while (isPending() && performance.now() < deadline) await sleep(20);
}

const leadMs = 500;
const longestTakingMs = 20_000;
const afterwardsMs = 300;

interface Order {
  readonly stack: DrainedStack;
  readonly retiring: ServingShard;
  readonly drawn: DrawnDrain;
  readonly books: Books;
  readonly opened: Opening;
}

/** When the decision fell, and when the look before the last one was over. */
interface End {
  readonly at: number;
  readonly lookBefore: number;
}

/** Again and again, as a pipeline's retries would. */
async function drainToEnd(
  sandbox: Sandbox,
  { stack, retiring, drawn, books, opened }: Order,
): Promise<End | undefined> {
  const told: string[] = [];
  for (let attempt = 1; attempt <= mostRuns; attempt += 1) {
    const cut = new AbortController();
    const isCut = attempt === 1 && drawn.cutAtMs !== undefined;
    const knife = setTimeout(() => cut.abort(), isCut ? drawn.cutAtMs : longestRunMs);
    let end: End | undefined;
    let lookBefore = 0;
    books.runs += 1;
    try {
      await runDrain({
        stack,
        retiring: retiring.shard,
        jobId: `drain ${drawn.number}, run ${attempt}`,
        environment: sandbox.environment,
        signal: cut.signal,
        takeLock: attempt > 1,
        onLook: (isDrained) => {
          const at = sandbox.clock.now();
          if (isDrained) end = { at, lookBefore };
          lookBefore = at;
        },
        onLine: (line) => told.push(line),
      });
      if (end === undefined) throw new Error(`${told.join('\n')}\nended without a decision`);
      return end;
    } catch (error) {
      told.push(...lastWords(error, cut.signal));
      if (cut.signal.aborted && !isCut) break;
      if (!isOpenedByOther(error)) continue;
      // Nobody opened it, and it is said that somebody did.
      if (Number.isNaN(opened.from)) break;
      // As it asks for: closed by hand, and run again.
      await intake(sandbox, retiring.registration, 'paused');
    } finally {
      clearTimeout(knife);
    }
  }
  books.unfinished.push(`drain ${drawn.number}:\n${told.join('\n')}`);
  return undefined;
}

/** A run may be cut before there is a seam that knows a cancel; the program's own entrance knows it then. */
function lastWords(error: unknown, signal: AbortSignal): readonly string[] {
  if (signal.aborted && error === signal.reason) return ['= cut before it began'];
  if (!(error instanceof DeployError) || error.code === 'Bug') throw error;
  return [`= ${error.code}: ${error.message}`, ...(error.fields.why ?? [])];
}

function isOpenedByOther(error: unknown): boolean {
  return error instanceof DeployError && error.code === 'OpenedByOther';
}

async function submit(
  sandbox: Sandbox,
  { stack, job, books }: { stack: DrainedStack; job: DrawnJob; books: Books },
): Promise<void> {
  await sleep(leadMs + job.atMs);
  const { id } = sandbox.gitlab.submitJob({
    project,
    tags: [stack.settings.runnerName],
    script: [`sleep ${job.runsMs / 1000}`],
    afterScript: job.cancelAtMs === undefined ? [] : ['sleep 0.6'],
  });
  if (job.cancelAtMs === undefined) return;
  await sleep(job.cancelAtMs);
  books.cancelled.add(id);
  await askGitLab(sandbox, `POST /projects/${project}/jobs/${id}/cancel`).catch(() => undefined);
}

async function later(ms: number, over: AbortSignal, act: () => unknown): Promise<void> {
  const isDue = await sleep(ms, true, { signal: over }).catch(() => false);
  if (isDue) await act();
}

/** What a person does by hand. */
async function intake(
  sandbox: Sandbox,
  registration: number,
  state: 'open' | 'paused',
): Promise<void> {
  await askGitLab(sandbox, `PUT /runners/${registration}`, { paused: state === 'paused' });
}
