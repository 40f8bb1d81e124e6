/** More levels than in any response or file that hosted-runner reads. */
const mostLevels = 500;

/**
 * Parses JSON. Returns undefined for other text, and for nesting too deep to process: another
 * system's text must not crash the program.
 */
export function parseJson(text: string): unknown {
  try {
    return nestsTooDeeply(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Formats a value for Parameter Store, which refuses `{{…}}` in a value. JSON contains two opening
 * braces side by side only in texts, where an escape has the same meaning.
 */
export function formatParameterJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('{{', '{\\u007b');
}

/** Counts the brackets outside strings in one pass. */
function nestsTooDeeply(text: string): boolean {
  if (text.length <= mostLevels) return false;
  let level = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInString && character === '\\') at += 1;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '[' || character === '{') level += 1;
    else if (character === ']' || character === '}') level -= 1;
    if (level > mostLevels) return true;
  }
  return false;
}
