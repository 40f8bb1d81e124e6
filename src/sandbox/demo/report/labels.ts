/** Width of a letter of the chart's font at its size, roughly; labels must not depend on a browser. */
const letterWidth = 6.3;

export function fits(text: string, width: number): boolean {
  return text.length * letterWidth + 8 <= width;
}

/** Whole words on lines of this width; a word that is too long stands alone. */
export function wrapWords(text: string, width: number): readonly string[] {
  const most = Math.max(1, Math.floor(width / letterWidth));
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/** `1:05` since the beginning. */
export function formatTime(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
