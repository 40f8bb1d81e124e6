import { isDeployError } from '../../errors/deploy-error.ts';
import { cancelled } from '../../errors/external-errors.ts';
import { isStream } from '../../ports/effect.ts';
import { type PortMethod, type Ports, wrapMethods } from '../../ports/ports.ts';

/** On cancel the effect in flight gets this long to answer; a read ends at once, as a host may wait half a minute. */
const graceMs = 5000;

export interface Seam {
  readonly signal: AbortSignal;
  readonly stage: string;
  /** What is typed to go on after a cancel. */
  readonly again: string;
}

/** Wraps every port once: the cancel check before and during each call. */
export function sealPorts(ports: Ports, seam: Seam): Ports {
  return wrapMethods(ports, (ask, { effect }) => {
    if (effect === 'remembers') return ask;
    if (effect === 'waits') return (durationMs) => sleepUntilCancelled(ask, durationMs, seam);
    return (...args) => call(() => ask(...args), seam, effect === 'reads' ? 0 : graceMs);
  });
}

function call(ask: () => unknown, seam: Seam, leftMs: number): unknown {
  if (seam.signal.aborted) throw cancelled(seam.stage, seam.again);
  const answer = ask();
  if (isStream(answer)) return untilCancelled(answer, seam);
  return withGrace(answer as Promise<unknown>, seam, leftMs);
}

async function withGrace(answer: Promise<unknown>, seam: Seam, leftMs: number): Promise<unknown> {
  const { signal } = seam;
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const tooLate = new Promise<never>((_, reject) => {
    const end = () => reject(cancelled(seam.stage, seam.again));
    onAbort = () => {
      if (leftMs === 0) end();
      else timer = setTimeout(end, leftMs);
    };
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([answer, tooLate]);
  } catch (error) {
    throw toldAsCancel(error, seam);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}

async function* untilCancelled(events: AsyncIterable<unknown>, seam: Seam): AsyncIterable<unknown> {
  try {
    for await (const event of events) {
      yield event;
      if (seam.signal.aborted && !isResult(event)) throw cancelled(seam.stage, seam.again);
    }
  } catch (error) {
    throw toldAsCancel(error, seam);
  }
}

/** What a call that we broke off ourselves rejects with says nothing about the other side. */
function toldAsCancel(error: unknown, { signal, stage, again }: Seam): unknown {
  return signal.aborted && !isDeployError(error) ? cancelled(stage, again) : error;
}

function isResult(event: unknown): boolean {
  return (event as { kind?: unknown }).kind === 'done';
}

async function sleepUntilCancelled(
  sleep: PortMethod,
  durationMs: unknown,
  seam: Seam,
): Promise<void> {
  try {
    await sleep(durationMs, seam.signal);
  } catch (error) {
    throw toldAsCancel(error, seam);
  }
}
