/** Bytes: the whole record has 4 KB. */
const longestWhy = 200;

const encoder = new TextEncoder();

/** Cuts a text by bytes, never within a character. */
export function truncateReason(why: string, mostBytes = longestWhy): string {
  if (bytesOf(why) <= mostBytes) return why;
  let leftBytes = mostBytes - bytesOf('…');
  let kept = '';
  for (const letter of why) {
    leftBytes -= bytesOf(letter);
    if (leftBytes < 0) break;
    kept += letter;
  }
  return `${kept}…`;
}

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** Removes counts and durations: `3m 10s of 15m` and `4m of 15m` are the same reason. */
export function reasonOf(text: string): string {
  return text
    .replace(/\d+(?:\.\d+)?(?:ms|s|m|h|d|%)?(?![a-zA-Z0-9])/g, '#')
    .replace(/#(?:\s+#)+/g, '#');
}
