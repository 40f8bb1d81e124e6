/**
 * Version of all printed JSON and of the event file; raised if a change could mislead a reader.
 */
export const outputSchema = 2;

/**
 * Formats a command's result as JSON, with the schema version first (schema/output.schema.json).
 */
export function jsonDocument(fields: object, { lines = true }: { lines?: boolean } = {}): string {
  const value = { schema: outputSchema, ...(inSnakeCase(fields) as object) };
  return `${JSON.stringify(value, undefined, lines ? 2 : undefined)}\n`;
}

/**
 * Returns whether other systems name the fields below: outputs of a module, names in a runner's
 * file.
 */
function isForeign(key: string): boolean {
  return key === 'outputs' || key === 'slots';
}

/** Converts every field name to snake_case, for other programs. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      snakeCase(key),
      isForeign(key) ? entry : inSnakeCase(entry),
    ]),
  );
}

/** Converts `drainTimeoutMs` to `drain_timeout_ms`. */
function snakeCase(key: string): string {
  if (!/^[a-z]+[A-Z][a-zA-Z0-9]*$/.test(key)) return key;
  return key.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/**
 * Changes each text and each key of a value. A change in the finished JSON could break its quotes.
 */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [change(key), mapTexts(entry, change)]),
  );
}
