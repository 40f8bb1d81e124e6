import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { portEffects } from '../../../src/ports/ports.ts';

/**
 * Place in the product that calls a port, e.g. `src/stages/steps/drain/drain.ts:93 registry.find`.
 */
export type CallSite = string;

const folders = ['src/stages', 'src/stages/record', 'src/operator'];

/** Files between a stage and its port. The stage's own line counts as the caller. */
const passedThrough = [
  'src/stages/record/parameter-snapshot.ts',
  'src/stages/run/contact-notes.ts',
  'src/stages/run/track-changes.ts',
];

/** Methods with outside calls. A port's method that responds from memory is excluded. */
const methods = Object.entries(portEffects).map(([port, effects]) => ({
  port,
  names: Object.entries(effects).flatMap(([name, effect]) =>
    effect === 'remembers' ? [] : [name],
  ),
}));

/** Lists every place in the source that calls a port. It reads the text, to miss none. */
export function allCallSites(root: string): CallSite[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !passedThrough.includes(`${folder}/${name}`))
      .sort()
      .flatMap((name) => sitesIn(join(root, folder, name), `${folder}/${name}`)),
  );
}

function sitesIn(path: string, name: string): CallSite[] {
  const text = readFileSync(path, 'utf8');
  return methods.flatMap(({ port, names }) => {
    if (names.length === 0) return [];
    const pattern = new RegExp(`\\b${port}\\s*\\.\\s*(${names.join('|')})\\(`, 'g');
    return [...text.matchAll(pattern)].map(({ 0: found, 1: method, index }) => {
      const before = text.slice(0, index + found.length);
      return `${name}:${before.split('\n').length} ${port}.${method}`;
    });
  });
}

/** Returns a function that finds the calling place in the product; undefined if unknown. */
export function createSiteFinder(mapPath: string): (label: string) => CallSite | undefined {
  const map = new SourceMap(JSON.parse(readFileSync(mapPath, 'utf8')));
  const known = new Map<string, string | undefined>();

  function place(line: number, column: number): string | undefined {
    const key = `${line}:${column}`;
    if (known.has(key)) return known.get(key);
    const entry = map.findEntry(line - 1, column - 1);
    const source = 'originalSource' in entry ? entry.originalSource : '';
    const path = folders
      .map((folder) => source.slice(source.indexOf(`${folder}/`)))
      .find((text) => folders.some((folder) => text.startsWith(`${folder}/`)));
    const found =
      path === undefined || passedThrough.includes(path) || !('originalLine' in entry)
        ? undefined
        : `${path}:${entry.originalLine + 1}`;
    known.set(key, found);
    return found;
  }

  return (label) => {
    for (const frame of framesHere()) {
      const found = place(frame.getLineNumber() ?? 0, frame.getColumnNumber() ?? 0);
      if (found !== undefined) return `${found} ${label}`;
    }
    return undefined;
  };
}

function framesHere(): NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 24;
    Error.prepareStackTrace = (_, frames) => frames;
    return new Error().stack as unknown as NodeJS.CallSite[];
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}
