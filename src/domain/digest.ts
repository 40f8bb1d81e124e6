const offset = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/**
 * Compares texts without storing a secret: 16 hexadecimal digits of FNV-1a (64 bits) over UTF-8,
 * http://www.isthe.com/chongo/tech/comp/fnv/. Two texts collide with a probability of 1 in 1.8e19.
 * Node's digests are not used, because decisions import nothing of Node. A collision gains an
 * attacker nothing: `--again` permits the same deployment anyway.
 */
export function digestOf(text: string): string {
  let hash = offset;
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
  return hash.toString(16).padStart(16, '0');
}

/** Returns JSON with sorted names: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [two]) => (one < two ? -1 : 1)))
      : inner,
  );
}
