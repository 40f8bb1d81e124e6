import { writeFile } from 'node:fs/promises';
import type { Clock } from '../../../src/ports/clock.ts';
import { isBesideDeployment, type SubmittedJob } from '../count/count.ts';
import { heldScript, markedScript, releaseFile } from '../count/marks.ts';
import type { CiJob, CiServer } from './ci-server.ts';
import type { Paces } from './paces.ts';

/** Stream of customer jobs during the whole run. */
export interface JobStream {
  readonly jobs: readonly SubmittedJob[];
  /**
   * Assigns new jobs to this stream. The first call starts the jobs, a later call ends a pause.
   */
  flow(stream: SubmittedJob['stream']): void;
  pause(): void;
  /** Submits more short jobs than usual until the next `flow`. Also ends a pause. */
  rush(): void;
  /** Submits a job again, as the same job, after its runner failed it before its script began. */
  again(number: number): void;
  /** Submits a job that runs until its release. */
  hold(): HeldJob;
  /** Stops long jobs, to shorten the end. */
  shortOnly(): void;
  stop(): Promise<void>;
}

export interface HeldJob {
  readonly ciJobId: number;
  release(): Promise<void>;
}

export interface StreamParts {
  readonly ciServer: CiServer;
  readonly paces: Paces;
  readonly clock: Clock;
  /** Folder for the marks of the jobs. */
  readonly folder: string;
  readonly tag: string;
}

export function createStream({ ciServer, paces, clock, folder, tag }: StreamParts): JobStream {
  const jobs: SubmittedJob[] = [];
  const scripts = new Map<number, string[]>();
  const over = new AbortController();
  let stream: SubmittedJob['stream'] = 'control';
  let withLong = true;
  let isPaused = false;
  let everyMs = paces.submitEveryMs;
  let flowing: Promise<void> | undefined;

  function submit(kind: SubmittedJob['kind'], scriptOf: (number: number) => string[]) {
    const number = jobs.length + 1;
    const submittedAt = clock.now();
    const script = scriptOf(number);
    scripts.set(number, script);
    const ciJobId = ciServer.submit({ tag, name: `${kind}-${number}`, script });
    const job: SubmittedJob = { number, ciJobId, kind, stream, submittedAt };
    jobs.push(job);
    return job;
  }

  function submitLasting(kind: SubmittedJob['kind'], durationMs: number): void {
    submit(kind, (number) => markedScript({ folder, number, durationMs }));
  }

  async function run(): Promise<void> {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      if (!isPaused) submitLasting('short', paces.shortJobMs);
      if (!isPaused && withLong && turn % paces.longEvery === 0)
        submitLasting('long', paces.longJobMs);
      await clock.sleep(everyMs, over.signal).catch(() => undefined);
    }
  }

  return {
    jobs,
    flow(next) {
      stream = next;
      isPaused = false;
      everyMs = paces.submitEveryMs;
      flowing ??= run();
    },
    pause() {
      isPaused = true;
    },
    rush() {
      isPaused = false;
      everyMs = paces.submitEveryMs / 3;
    },
    again(number) {
      const at = jobs.findIndex((job) => job.number === number);
      const job = jobs[at];
      const script = scripts.get(number);
      if (job === undefined || script === undefined) return;
      const ciJobId = ciServer.submit({ tag, name: `${job.kind}-${number}`, script });
      jobs[at] = { ...job, ciJobId, tries: (job.tries ?? 1) + 1 };
    },
    hold() {
      const { number, ciJobId } = submit('long', (of) => heldScript({ folder, number: of }));
      return { ciJobId, release: () => writeFile(releaseFile({ folder, number }), '') };
    },
    shortOnly() {
      withLong = false;
    },
    async stop() {
      over.abort();
      await flowing;
    },
  };
}

/** Describes the jobs so far, the same as in the summary. A repeated job counts once. */
export function describeJobs(
  ciServer: Pick<CiServer, 'jobs'>,
  { jobs }: Pick<JobStream, 'jobs'>,
): string {
  const ids = new Set(jobs.filter(isBesideDeployment).map(({ ciJobId }) => ciJobId));
  const ended = ciServer.jobs().filter(({ id, isOver }) => ids.has(id) && isOver);
  return `${ids.size} submitted, ${ended.length} ended`;
}

/**
 * Waits for the remaining jobs while they finish one after another, which takes long on a slow
 * computer. A job that never ends is counted as it is.
 */
export async function settle({
  ciServer,
  stream,
  paces,
  clock,
  signal,
}: {
  readonly ciServer: Pick<CiServer, 'jobs'>;
  readonly stream: Pick<JobStream, 'jobs'>;
  readonly paces: Pick<Paces, 'longJobMs' | 'graceMs'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<void> {
  const ownIds = new Set(stream.jobs.map(({ ciJobId }) => ciJobId));
  const isOpen = ({ id, isOver }: CiJob) => ownIds.has(id) && !isOver;
  let least = Number.POSITIVE_INFINITY;
  let until = 0;
  for (;;) {
    const open = ciServer.jobs().filter(isOpen).length;
    if (open < least) until = clock.elapsed() + paces.longJobMs + paces.graceMs;
    least = Math.min(least, open);
    if (open === 0 || clock.elapsed() >= until) return;
    await clock.sleep(100, signal);
  }
}
