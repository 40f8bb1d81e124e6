import { parseJson } from '../../domain/text/json.ts';
import type { ApplyCounts } from '../../ports/infrastructure.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Finds the last JSON object on standard output, on one line or spread over several. Such text is
 * kept from the log, because outputs may be secret in a way that only their owner knows.
 */
export interface OutputReader {
  /** What of it is progress: the line itself, lines held back before, or nothing. */
  read(line: string): readonly string[];
  /** Lines that were held back and turned out not to be JSON. */
  end(): readonly string[];
  readonly found: JsonObject | undefined;
}

const notShown = '(not shown)';
const mostHeldLines = 20_000;
/** Of all held lines together; one line is no longer either, and a text of more than 512 MB cannot be held. */
const mostHeldCharacters = 16 * 1024 * 1024;
/** An object ends at the first such line, unless a text in it has one; each try reads all that is held. */
const mostTries = 50;

export function createOutputReader(): OutputReader {
  let held: string[] = [];
  let characters = 0;
  let tries = 0;
  let found: JsonObject | undefined;

  function release(): readonly string[] {
    const lines = held;
    held = [];
    characters = 0;
    tries = 0;
    return lines;
  }

  function readHeld(line: string): readonly string[] {
    held.push(line);
    characters += line.length;
    if (characters > mostHeldCharacters) return release();
    if (line.trimEnd() === '}') {
      tries += 1;
      const object = parseObject(held.join('\n'));
      if (object !== undefined) {
        found = object;
        release();
      }
    }
    return held.length > mostHeldLines || tries > mostTries ? release() : [];
  }

  return {
    get found() {
      return found;
    },
    read(line) {
      if (held.length > 0) return readHeld(line);
      if (line.trim() === '{') {
        held.push(line);
        return [];
      }
      const object = line.trimStart().startsWith('{') ? parseObject(line) : undefined;
      if (object === undefined) return [line];
      found = object;
      return [];
    },
    end: release,
  };
}

function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/**
 * `added`, `changed` and `destroyed` are counts; everything else is an output. Of outputs the names are
 * handed on and no value: which of them are secret nobody has said, and whatever an event carries is
 * written to the event file. Nobody here reads more than the counts.
 */
export function splitOutputs(object: JsonObject | undefined): {
  counts: ApplyCounts;
  outputs: JsonObject;
} {
  const { added, changed, destroyed, ...outputs } = object ?? {};
  return {
    counts: {
      ...(isCount(added) ? { added } : {}),
      ...(isCount(changed) ? { changed } : {}),
      ...(isCount(destroyed) ? { destroyed } : {}),
    },
    outputs: Object.fromEntries(Object.keys(outputs).map((name) => [name, notShown])),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
