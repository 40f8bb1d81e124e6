const parts = /[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu;

/** Collects the words of refusals. Any other text in a refusal may be private. */
export function vocabularyOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.match(/[\p{L}\p{N}_]+/gu) ?? []));
}

/** Keeps only the API's words of a refusal: `403 Forbidden - … … is not allowed`. */
function maskText(text: string, vocabulary: ReadonlySet<string>): string {
  const kept = (text.match(parts) ?? []).map((part) => {
    if (/^[^\p{L}\p{N}_]/u.test(part)) return part.replace(/\s+/g, ' ');
    // A status counts as a word. Any other number may be an address or an id.
    const isWord = vocabulary.has(part) && (/\D/.test(part) || /^[45]\d\d$/.test(part));
    return isWord ? part : '…';
  });
  const words = kept.join('').trim();
  return words.length > 300 ? `${words.slice(0, 300)}…` : words;
}

/** Masks every text in the body of a refusal. */
export function maskRefusal(body: unknown, vocabulary: ReadonlySet<string>): unknown {
  if (typeof body === 'string') return maskText(body, vocabulary);
  if (Array.isArray(body)) return body.slice(0, 20).map((each) => maskRefusal(each, vocabulary));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, inner]) => [
      maskText(name, vocabulary),
      maskRefusal(inner, vocabulary),
    ]),
  );
}
