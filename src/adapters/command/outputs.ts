import { parseJson } from '../../domain/text/json.ts';
import type { ApplyCounts } from '../../ports/infrastructure.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Finds the last JSON object on standard output, on one line or several. It never reaches the log,
 * because outputs may be secret.
 */
export interface OutputReader {
  /**
   * Reads a line and returns the lines to show as progress: this line, lines held back before, or
   * none.
   */
  read(line: string): readonly string[];
  /** Returns the lines that were held back and are not JSON. */
  end(): readonly string[];
  readonly found: JsonObject | undefined;
}

const notShown = '(not shown)';
const mostHeldLines = 20_000;
/** Limit for all held lines together, and for one line. */
const mostHeldCharacters = 16 * 1024 * 1024;
/**
 * Limit of attempts to parse the held lines. An object usually ends at the first possible line.
 * Each attempt reads all held lines.
 */
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
 * Splits a command's object into the counts `added`, `changed` and `destroyed`, and the names of
 * all other outputs. Values are dropped: any of them may be secret, and events are written to the
 * event file.
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
