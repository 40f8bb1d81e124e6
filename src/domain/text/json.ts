/** More levels than any response or file has that the program reads. */
const mostLevels = 500;

/**
 * Undefined for text that is no JSON, or that nests deeper than any code that walks the value can go:
 * other systems write what they like, and their text must not end the program.
 */
export function parseJson(text: string): unknown {
  try {
    return nestsTooDeeply(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By its brackets outside of strings, in one pass. */
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
