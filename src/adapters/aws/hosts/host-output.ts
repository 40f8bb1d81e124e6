/** What a script for a host printed: `key=value` lines, of which a key may have several. */
export interface HostOutput {
  /** The first value of a key; undefined where the script did not get that far. */
  first(key: string): string | undefined;
  all(key: string): readonly string[];
  /** Whether the script reached its end and its output was not cut. */
  readonly complete: boolean;
}

export function parseHostOutput(text: string): HostOutput {
  const values = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [, key, value] = /^([a-z_]+)=(.*)$/s.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const known = values.get(key);
    if (known === undefined) values.set(key, [value]);
    else known.push(value);
  }
  return {
    first: (key) => values.get(key)?.[0],
    all: (key) => values.get(key) ?? [],
    complete: values.has('end'),
  };
}

/** A non-negative whole number, or undefined for anything else. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
