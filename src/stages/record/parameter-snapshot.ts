import type { Ports } from '../../ports/ports.ts';
import type { Parameter, StateStore } from '../../ports/state-store.ts';
import type { Journal } from './journal.ts';

/** Checks that follow each other without a call to another system take less. */
const standsForMs = 1000;

interface Reader {
  readonly ports: Pick<Ports, 'parameters' | 'clock' | 'random'>;
  readonly journal: Journal;
}

/**
 * The same context over one reading of these parameters, in one call where the store can. Each mention of
 * a name answers one read of it, which has to come before any call to another system.
 */
export async function atOneMoment<Context extends Reader>(
  context: Context,
  names: readonly string[],
): Promise<Context> {
  const { ports, journal } = context;
  const reading = { ...ports, parameters: await readTogether(ports, names) };
  return { ...context, ports: reading, journal: journal.through(reading) };
}

/**
 * Any call that the reading does not answer goes to the store and voids the rest: it may take its time, and
 * what is read after it must not be older than it. So does time.
 */
async function readTogether(
  { parameters, clock }: Reader['ports'],
  names: readonly string[],
): Promise<StateStore> {
  const unique = [...new Set(names)];
  const ends = await Promise.allSettled(unique.map(async (name) => parameters.find(name)));
  const readAt = clock.elapsed();
  let left = [...names];
  const anew = <Call extends (...args: never[]) => Promise<unknown>>(call: Call) =>
    ((...args) => {
      left = [];
      return call(...args);
    }) as Call;
  const find = anew(parameters.find);
  return {
    async find(name): Promise<Parameter | undefined> {
      const at = left.indexOf(name);
      const end = ends[unique.indexOf(name)];
      if (at < 0 || end === undefined || clock.elapsed() - readAt > standsForMs) return find(name);
      left.splice(at, 1);
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    },
    findVersion: anew(parameters.findVersion),
    listVersions: anew(parameters.listVersions),
    create: anew(parameters.create),
    overwrite: anew(parameters.overwrite),
    remove: anew(parameters.remove),
  };
}
