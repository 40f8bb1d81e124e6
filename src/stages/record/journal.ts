import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import { foreignWrite, recordInvalid, recordNewer } from '../../errors/state.ts';
import type { Parameter } from '../../ports/parameters.ts';
import type { Ports } from '../../ports/ports.ts';
import type { HeldLock } from './held-lock.ts';
import { formatRecord, parseRecord } from './record-format.ts';
import { findForeign, readAtLeast, writeVersioned } from './versioned.ts';

/** The record, read once and fenced by its version for as long as a stage runs. */
export interface Journal {
  /** Reads the record anew; undefined if there is none. */
  read(): Promise<DeploymentRecord | undefined>;
  /** The record as last read or written. Throws if it was never read or there is none. */
  current(): DeploymentRecord;
  write(record: DeploymentRecord): Promise<DeploymentRecord>;
  /**
   * Rejects if anybody else has written the record since we did. Whom we took the lock from meets the
   * same: before the first effect of a takeover the record is written once more.
   */
  fence(): Promise<void>;
  version(): number;
  /** What the lock's next owner has to see at least: as we have, or else the owner before us. */
  seenVersion(): number;
  /** From now on the record is read and written only as the lock's owner. */
  ownedBy(lock: OwnLock): void;
  /** Rejects if this run has taken the lock and does not own it any more. */
  confirm(): Promise<void>;
}

type OwnLock = Pick<HeldLock, 'confirm' | 'record' | 'tookOver'>;

export function createJournal(facts: {
  readonly ports: Pick<Ports, 'parameters' | 'clock' | 'random'>;
  readonly parameter: string;
  readonly runner: string;
}): Journal {
  const { ports, parameter, runner } = facts;
  let known: DeploymentRecord | undefined;
  let knownText = '';
  let version = 0;
  let lock: OwnLock | undefined;
  /** What the lock's last owner had seen; a record that was deleted since counts anew. */
  let floor = 0;
  /** Whoever had the lock before us may still believe in the version that we read. */
  let owesFence = false;

  async function read(): Promise<DeploymentRecord | undefined> {
    const found = await readAtLeast(ports, parameter, Math.max(version, floor));
    floor = 0;
    // First of all: a record that cannot be read is known in no part.
    known = found === undefined ? undefined : parsed(found.value);
    version = found?.version ?? 0;
    knownText = found?.value ?? '';
    return known;
  }

  function parsed(text: string): DeploymentRecord {
    const result = parseRecord(text);
    if (result.kind === 'newer') throw recordNewer({ runner, schema: result.schema, parameter });
    if (result.kind === 'invalid')
      throw recordInvalid({ runner, reason: result.reason, parameter });
    return result.record;
  }

  /** Its write id tells: the request that wrote it has arrived twice. */
  async function isLastWriteAgain(found: Parameter): Promise<boolean> {
    if (version === 0 || found.version <= version || found.value !== knownText) return false;
    const written = { name: parameter, since: version, until: found.version, ours: [knownText] };
    return (await findForeign(ports.parameters, written)) === undefined;
  }

  return {
    read,
    version: () => version,
    seenVersion: () => floor || version,
    ownedBy(held) {
      lock = held;
      floor = held.record;
      owesFence = held.tookOver;
    },
    confirm: async () => lock?.confirm(),
    current() {
      if (known === undefined) throw new Error('the record was not read');
      return known;
    },
    write,
    async fence() {
      await compare();
      if (owesFence && known !== undefined) await write(known);
    },
  };

  async function write(record: DeploymentRecord): Promise<DeploymentRecord> {
    await lock?.confirm();
    const value = formatRecord(record, ports.random.id());
    const before = version === 0 ? {} : { before: knownText };
    version = await writeVersioned({ ...ports, name: parameter, value, version, ...before });
    known = record;
    knownText = value;
    owesFence = false;
    return record;
  }

  async function compare(): Promise<void> {
    const found = await readAtLeast(ports, parameter, version);
    if ((found?.version ?? 0) === version && (found?.value ?? '') === knownText) return;
    if (found !== undefined && (await isLastWriteAgain(found))) {
      version = found.version;
      return;
    }
    throw foreignWrite({
      parameter,
      ours: knownText,
      theirs: found?.value ?? '(deleted)',
      version: found?.version ?? 0,
    });
  }
}
