import { isPortFailure } from '../ports/failure.ts';
import type { Log } from '../ports/log.ts';
import { lookUntil, notYet, seen } from '../ports/look-until.ts';
import type { Parameter } from '../ports/parameters.ts';
import type { Ports } from '../ports/ports.ts';
import { parseLock } from './lock-text.ts';

const looksForOwn = 4;
const staleLookMs = 500;

/** What the release works with: the stage's own ports may be cancelled by then. */
export type ReleasePorts = Pick<Ports, 'parameters' | 'clock'>;

export interface Release {
  readonly parameter: string;
  readonly log: Log;
  readonly ports: ReleasePorts;
}

export async function releaseLock(
  { ports, parameter, log }: Release,
  nonce: string,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await findOwn(ports, parameter, nonce);
    if (parseLock(found)?.nonce !== nonce) {
      if (found !== undefined) log.warn(`The lock ${parameter} is not ours any more and was left.`);
      return;
    }
    try {
      await ports.parameters.remove(parameter);
      return;
    } catch (error) {
      if (!isPortFailure(error) || error.effect === 'none' || attempt >= 3) throw error;
    }
  }
}

/** A read may show what was there before our lock, and then it is not ours only by the look of it. */
async function findOwn(
  { parameters, clock }: ReleasePorts,
  parameter: string,
  nonce: string,
): Promise<Parameter | undefined> {
  return lookUntil({ clock, cadence: { pollMs: staleLookMs } }, async (looks) => {
    const found = await parameters.find(parameter);
    const isOurs = parseLock(found)?.nonce === nonce;
    return isOurs || looks >= looksForOwn ? seen(found) : notYet();
  });
}
