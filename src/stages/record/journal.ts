import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import { foreignWrite, recordInvalid, recordNewer } from '../../errors/state-errors.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Parameter } from '../../ports/state-store.ts';
import type { HeldLock } from './lock/lock-handle.ts';
import { createMutex, type Mutex } from './mutex.ts';
import type { ParameterSnapshot } from './parameter-snapshot.ts';
import { findForeign, readAtLeast, writeVersioned } from './parameter-write.ts';
import { formatRecord, parseRecord } from './record-format.ts';
import { newestRecordSchema } from './record-schema.ts';

/**
 * The record, read once and fenced by its version for as long as a stage runs. What is asked of it side
 * by side is done one after the other: a run takes none of its own writes for somebody else's. Whoever
 * writes what he has made of `current` has to be alone with it all the same.
 */
export interface Journal {
  /** Reads the record, or takes it from the snapshot; undefined if there is none. */
  read(snapshot?: ParameterSnapshot): Promise<DeploymentRecord | undefined>;
  /** The record as last read or written. Throws if it was never read or there is none. */
  current(): DeploymentRecord;
  /** @param snapshot shows that the lock is still owned */
  write(record: DeploymentRecord, snapshot?: ParameterSnapshot): Promise<DeploymentRecord>;
  /**
   * Rejects if anybody else has written the record since we did. Whom we took the lock from meets the
   * same: before the first effect of a takeover the record is written once more.
   */
  fence(snapshot?: ParameterSnapshot): Promise<void>;
  version(): number;
  /** The lowest version that any read has shown: what was decided on the way rests on this one. */
  lowestVersion(): number;
  /** What the lock's next owner has to see at least: as we have, or else the owner before us. */
  seenVersion(): number;
  /** From now on the record is read and written only as the lock's owner. */
  ownedBy(lock: OwnLock): void;
  /** Rejects if this run has taken the lock and does not own it any more. */
  confirm(snapshot?: ParameterSnapshot): Promise<void>;
  /** The same journal over other ports: a cancel ends whatever goes by those that it was opened with. */
  through(ports: JournalPorts): Journal;
}

/** The same journal; `change` is made to every record before it is written. */
export function changingWrites(
  journal: Journal,
  change: (record: DeploymentRecord) => DeploymentRecord,
): Journal {
  return {
    ...journal,
    write: (record, snapshot) => journal.write(change(record), snapshot),
    through: (ports) => changingWrites(journal.through(ports), change),
  };
}

type JournalPorts = Pick<Ports, 'parameters' | 'clock' | 'random'>;

type OwnLock = Pick<HeldLock, 'confirm' | 'record' | 'tookOver'>;

/**
 * The first read after a takeover waits so long. The last owner died at work, so no entry of the lock names
 * its last write, and AWS documents no bound for how long a read may be behind. An older record would be
 * written over the last one.
 */
const restAfterTakeoverMs = 2000;

interface Facts {
  readonly ports: JournalPorts;
  readonly parameter: string;
  readonly runner: string;
}

/** What is known of the record, whichever ports it was read by. */
interface Known {
  record?: DeploymentRecord | undefined;
  text: string;
  version: number;
  lowest?: number;
  lock?: OwnLock;
  /** What the lock's last owner had seen; a record that was deleted since counts anew. */
  floor: number;
  /** Whoever had the lock before us may still believe in the version that we read. */
  owesFence: boolean;
  restMs: number;
  readonly turn: Mutex;
}

export function createJournal(facts: Facts): Journal {
  return openJournal(facts, {
    text: '',
    version: 0,
    floor: 0,
    owesFence: false,
    restMs: 0,
    turn: createMutex(),
  });
}

function parsed(text: string, { parameter, runner }: Facts): DeploymentRecord {
  const result = parseRecord(text);
  if (result.kind === 'newer')
    throw recordNewer({ runner, schema: result.schema, known: newestRecordSchema, parameter });
  if (result.kind === 'invalid') throw recordInvalid({ runner, reason: result.reason, parameter });
  return result.record;
}

async function rest(clock: JournalPorts['clock'], againInMs: number): Promise<void> {
  await pollUntil({ clock, cadence: { pollMs: againInMs } }, async (looks) =>
    againInMs === 0 || looks > 1 ? done(undefined) : pending({ kind: 'after', againInMs }),
  );
}

function openJournal(facts: Facts, known: Known): Journal {
  const { ports, parameter } = facts;

  async function read(snapshot?: ParameterSnapshot): Promise<DeploymentRecord | undefined> {
    const { restMs } = known;
    // Before the wait: a cancel ends it, and the error's own read does not wait again.
    known.restMs = 0;
    await rest(ports.clock, restMs);
    const least = Math.max(known.version, known.floor);
    const found = await readAtLeast(ports, parameter, least, snapshot);
    known.floor = 0;
    // First of all: a record that cannot be read is known in no part.
    known.record = found === undefined ? undefined : parsed(found.value, facts);
    known.version = found?.version ?? 0;
    known.lowest = Math.min(known.lowest ?? known.version, known.version);
    known.text = found?.value ?? '';
    return known.record;
  }

  /** Its write id tells: the request that wrote it has arrived twice. */
  async function isLastWriteAgain(found: Parameter): Promise<boolean> {
    const { version: since, text } = known;
    if (since === 0 || found.version <= since || found.value !== text) return false;
    const written = { name: parameter, since, until: found.version, ours: [text] };
    return (await findForeign(ports.parameters, written)) === undefined;
  }

  return {
    read: (snapshot) => known.turn(() => read(snapshot)),
    version: () => known.version,
    lowestVersion: () => known.lowest ?? 0,
    seenVersion: () => known.floor || known.version,
    ownedBy(held) {
      known.lock = held;
      known.floor = held.record;
      known.owesFence = held.tookOver;
      known.restMs = held.tookOver ? restAfterTakeoverMs : 0;
    },
    confirm: async (snapshot) => known.lock?.confirm(ports, snapshot),
    current() {
      if (known.record === undefined) throw new Error('the record was not read');
      return known.record;
    },
    write: (record, snapshot) => known.turn(() => write(record, snapshot)),
    fence: (snapshot) =>
      known.turn(async () => {
        await compare(snapshot);
        if (known.owesFence && known.record !== undefined) await write(known.record, snapshot);
      }),
    through: (others) => openJournal({ ...facts, ports: others }, known),
  };

  async function write(record: DeploymentRecord, snapshot?: ParameterSnapshot) {
    await known.lock?.confirm(ports, snapshot);
    const value = formatRecord(record, ports.random.id());
    const { version, text } = known;
    const before = version === 0 ? {} : { before: text };
    known.version = await writeVersioned({ ...ports, name: parameter, value, version, ...before });
    known.record = record;
    known.text = value;
    known.owesFence = false;
    return record;
  }

  async function compare(snapshot?: ParameterSnapshot): Promise<void> {
    const { version, text } = known;
    const found = await readAtLeast(ports, parameter, version, snapshot);
    if ((found?.version ?? 0) === version && (found?.value ?? '') === text) return;
    if (found !== undefined && (await isLastWriteAgain(found))) {
      known.version = found.version;
      return;
    }
    throw foreignWrite({
      parameter,
      ours: text,
      theirs: found?.value ?? '(deleted)',
      version: found?.version ?? 0,
    });
  }
}
