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
 * The deployment record, read once and fenced by its version during a stage. Parallel calls run one
 * after another, so a run never takes its own write for a foreign one. A caller that writes a
 * change of `current` must still be the only writer.
 */
export interface Journal {
  /** Reads the record, or takes it from the snapshot; undefined if there is none. */
  read(snapshot?: ParameterSnapshot): Promise<DeploymentRecord | undefined>;
  /** Returns the record as last read or written. Throws if there is none or it was never read. */
  current(): DeploymentRecord;
  /** @param snapshot shows that the lock is still owned */
  write(record: DeploymentRecord, snapshot?: ParameterSnapshot): Promise<DeploymentRecord>;
  /**
   * Rejects if another run has written the record. The first effect of a takeover writes the record
   * once more, so the fence of the previous lock holder rejects too.
   */
  fence(snapshot?: ParameterSnapshot): Promise<void>;
  version(): number;
  /** Returns the lowest version of any read. Earlier decisions of this run rely on it. */
  lowestVersion(): number;
  /**
   * Returns the version that the next lock holder must read at least, as seen by this run or by a
   * previous holder.
   */
  seenVersion(): number;
  /** From this call on, reads and writes require that this run holds the lock. */
  ownedBy(lock: OwnLock): void;
  /** Rejects if this run has taken the lock and no longer holds it. */
  confirm(snapshot?: ParameterSnapshot): Promise<void>;
  /** Returns the same journal over other ports. A cancel ends calls through the original ports. */
  through(ports: JournalPorts): Journal;
}

/** Returns the journal with `change` applied to every record before it is written. */
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
 * Wait before the first read after a takeover. The last lock holder died during its work, so no
 * lock entry names its last write. AWS documents no limit for stale reads. A stale record would
 * overwrite the last write.
 */
const restAfterTakeoverMs = 2000;

interface Facts {
  readonly ports: JournalPorts;
  readonly parameter: string;
  readonly runner: string;
}

/** State of the record in this run, shared by all ports. */
interface Known {
  record?: DeploymentRecord | undefined;
  text: string;
  version: number;
  lowest?: number;
  lock?: OwnLock;
  /**
   * Version that the last lock holder had seen; 0 again after the first read, because a deleted
   * record counts from 1.
   */
  floor: number;
  /** A previous lock holder may still rely on the version that this run has read. */
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
  await pollUntil({ clock, cadence: { pollMs: againInMs } }, async (polls) =>
    againInMs === 0 || polls > 1 ? done(undefined) : pending({ kind: 'after', againInMs }),
  );
}

function openJournal(facts: Facts, known: Known): Journal {
  const { ports, parameter } = facts;

  async function read(snapshot?: ParameterSnapshot): Promise<DeploymentRecord | undefined> {
    const { restMs } = known;
    // Reset before the wait: after a cancel, the read for the error summary must not wait again.
    known.restMs = 0;
    await rest(ports.clock, restMs);
    const least = Math.max(known.version, known.floor);
    const found = await readAtLeast(ports, parameter, least, snapshot);
    known.floor = 0;
    // Set first: if the record cannot be parsed, none of its fields may be used.
    known.record = found === undefined ? undefined : parsed(found.value, facts);
    known.version = found?.version ?? 0;
    known.lowest = Math.min(known.lowest ?? known.version, known.version);
    known.text = found?.value ?? '';
    return known.record;
  }

  /** The write id shows that the request which wrote the record has arrived twice. */
  async function isLastWriteAgain(found: Parameter): Promise<boolean> {
    const { version: since, text } = known;
    if (since === 0 || found.version <= since || found.value !== text) return false;
    const written = { name: parameter, since, until: found.version, ownValues: [text] };
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
      written: text,
      found: found?.value ?? '(deleted)',
      version: found?.version ?? 0,
    });
  }
}
