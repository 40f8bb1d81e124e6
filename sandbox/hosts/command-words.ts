/** Parsed arguments of a command on a machine. */
export interface Words {
  /** Flags from `--name=x`, `--name x` or `-n x`. The last one counts. */
  flags: ReadonlyMap<string, string>;
  /** Returns all values of a flag. */
  all(name: string): readonly string[];
  rest: readonly string[];
}

/**
 * Parses arguments. `valued` lists the flags with a separate value. With `stopsAtRest`, the first
 * word that is no flag begins another command.
 */
export function parseWords(
  words: readonly string[],
  { valued, stopsAtRest = false }: { valued: readonly string[]; stopsAtRest?: boolean },
): Words {
  const found: [string, string][] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--' || !word.startsWith('-') || word === '-') {
      rest.push(...(stopsAtRest ? words.slice(at) : word === '--' ? [] : [word]));
      if (stopsAtRest) break;
      continue;
    }
    const [name = '', inline] = splitOnce(word.replace(/^--?/, ''));
    if (inline !== undefined) found.push([name, inline]);
    else if (valued.includes(name)) {
      at += 1;
      found.push([name, words[at] ?? '']);
    } else found.push([name, 'true']);
  }
  return {
    flags: new Map(found),
    all: (name) => found.filter(([own]) => own === name).map(([, value]) => value),
    rest,
  };
}

function splitOnce(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** Parses a signal: `QUIT`, `SIGQUIT` or `3`. */
export function signalName(text: string): NodeJS.Signals | undefined {
  const byNumber: Readonly<Record<string, string>> = {
    '1': 'HUP',
    '2': 'INT',
    '3': 'QUIT',
    '9': 'KILL',
    '15': 'TERM',
  };
  const name = byNumber[text] ?? text.toUpperCase().replace(/^SIG/, '');
  return ['HUP', 'INT', 'QUIT', 'KILL', 'TERM', 'CONT', 'STOP'].includes(name)
    ? (`SIG${name}` as NodeJS.Signals)
    : undefined;
}
