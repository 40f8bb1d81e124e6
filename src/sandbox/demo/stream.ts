import type { Clock } from '../../ports/clock.ts';
import type { SubmittedJob } from './count.ts';
import type { Forge } from './forge.ts';
import { markedScript } from './marks.ts';
import type { Paces } from './paces.ts';

/** Customers, who submit jobs whatever else is going on. */
export interface JobStream {
  readonly jobs: readonly SubmittedJob[];
  /** The jobs from now on belong to this stream; the first call begins it. */
  flow(stream: SubmittedJob['stream']): void;
  /** No more long jobs, so that the end is not waited for. */
  shortOnly(): void;
  stop(): Promise<void>;
}

export interface StreamParts {
  readonly forge: Forge;
  readonly paces: Paces;
  readonly clock: Clock;
  /** Where the jobs leave their marks. */
  readonly folder: string;
  readonly tag: string;
}

export function createStream({ forge, paces, clock, folder, tag }: StreamParts): JobStream {
  const jobs: SubmittedJob[] = [];
  const over = new AbortController();
  let stream: SubmittedJob['stream'] = 'control';
  let withLong = true;
  let flowing: Promise<void> | undefined;

  function submit(kind: SubmittedJob['kind']): void {
    const number = jobs.length + 1;
    const durationMs = kind === 'long' ? paces.longJobMs : paces.shortJobMs;
    const submittedAt = clock.now();
    const forgeId = forge.submit({
      tag,
      name: `${kind}-${number}`,
      script: markedScript({ folder, number, durationMs }),
    });
    jobs.push({ number, forgeId, kind, stream, submittedAt });
  }

  async function run(): Promise<void> {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      submit('short');
      if (withLong && turn % paces.longEvery === 0) submit('long');
      await clock.sleep(paces.submitEveryMs, over.signal).catch(() => undefined);
    }
  }

  return {
    jobs,
    flow(next) {
      stream = next;
      flowing ??= run();
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
