/**
 * Replaces comments by spaces; every offset and line stays the same. With `comments and texts`, the
 * contents of quoted texts and heredocs are replaced too.
 * https://developer.hashicorp.com/terraform/language/syntax/configuration
 */
export function blank(text: string, what: 'comments' | 'comments and texts'): string {
  let result = '';
  let position = 0;
  while (position < text.length) {
    const piece = nextPiece(text, position);
    const part = text.slice(position, piece.end);
    const isBlank = piece.kind === 'comment' || (piece.kind === 'text' && what !== 'comments');
    result += isBlank ? part.replace(/[^\n]/g, ' ') : part;
    position = piece.end;
  }
  return result;
}

interface Piece {
  readonly kind: 'comment' | 'text' | 'code';
  /** Offset after the piece. */
  readonly end: number;
}

function nextPiece(text: string, start: number): Piece {
  const rest = (pattern: RegExp) => {
    pattern.lastIndex = start;
    return pattern.exec(text)?.[0];
  };
  const comment = rest(/(?:#|\/\/)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y);
  if (comment !== undefined) return { kind: 'comment', end: start + comment.length };
  if (text[start] === '"') return { kind: 'text', end: endOfQuoted(text, start + 1) };
  const heredoc = rest(/<<-?([A-Za-z_][\w-]*)[ \t]*\r?\n(?:[\s\S]*?\n)??[ \t]*\1(?![\w-])/y);
  if (heredoc !== undefined) return { kind: 'text', end: start + heredoc.length };
  const code = rest(/[^"#/<]+/y);
  return { kind: 'code', end: start + (code?.length ?? 1) };
}

/** Returns the offset after the closing quote, or of the end of the line without one. */
function endOfQuoted(text: string, start: number): number {
  let position = start;
  while (position < text.length) {
    const next = text[position];
    if (next === '"') return position + 1;
    if (next === '\n') return position;
    const opens = /[$%]\{/y;
    opens.lastIndex = position;
    if (opens.test(text) && !isEscaped(text, position))
      position = endOfTemplate(text, position + 2);
    else position += next === '\\' ? 2 : 1;
  }
  return text.length;
}

/** Returns whether `$${` or `%%{` writes the sign itself. */
function isEscaped(text: string, position: number): boolean {
  return text[position - 1] === text[position];
}

/** Returns the offset after the closing brace of `${…}`, which may contain quoted texts. */
function endOfTemplate(text: string, start: number): number {
  let position = start;
  for (let depth = 1; position < text.length; ) {
    const next = text[position];
    if (next === '"') position = endOfQuoted(text, position + 1);
    else {
      position += 1;
      if (next === '{') depth += 1;
      if (next === '}') depth -= 1;
      if (depth === 0) return position;
    }
  }
  return position;
}
