/** In bytes: the record has 4 KB for everything. */
const longestWhy = 200;

const encoder = new TextEncoder();

/** Cut by bytes, and never within a letter. */
export function truncateReason(why: string, mostBytes = longestWhy): string {
  if (bytesOf(why) <= mostBytes) return why;
  let room = mostBytes - bytesOf('…');
  let kept = '';
  for (const letter of why) {
    room -= bytesOf(letter);
    if (room < 0) break;
    kept += letter;
  }
  return `${kept}…`;
}

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
