import type { DeploymentRecord } from '../domain/record.ts';
import { foreignWrite, recordInvalid, recordNewer } from '../errors/state.ts';
import type { Parameter } from '../ports/parameters.ts';
import type { Ports } from '../ports/ports.ts';
import { formatRecord, parseRecord } from './record-format.ts';
import { findForeign, readAtLeast, writeVersioned } from './versioned.ts';

/** The record, read once and fenced by its version for as long as a stage runs. */
export interface Journal {
  /** Reads the record anew; undefined if there is none. */
  read(): Promise<DeploymentRecord | undefined>;
  /** The record as last read or written. Throws if it was never read or there is none. */
  current(): DeploymentRecord;
  write(record: DeploymentRecord): Promise<DeploymentRecord>;
  /** Rejects if anybody else has written the record since we did. */
  fence(): Promise<void>;
  version(): number;
}

export function createJournal(facts: {
  readonly ports: Pick<Ports, 'parameters' | 'clock' | 'random'>;
  readonly parameter: string;
  readonly runner: string;
}): Journal {
  const { ports, parameter, runner } = facts;
  let known: DeploymentRecord | undefined;
  let knownText = '';
  let version = 0;

  async function read(): Promise<DeploymentRecord | undefined> {
    const found = await readAtLeast(ports, parameter, version);
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
    current() {
      if (known === undefined) throw new Error('the record was not read');
      return known;
    },
    async write(record) {
      const value = formatRecord(record, ports.random.id());
      const before = version === 0 ? {} : { before: knownText };
      version = await writeVersioned({ ...ports, name: parameter, value, version, ...before });
      known = record;
      knownText = value;
      return record;
    },
    async fence() {
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
    },
  };
}
