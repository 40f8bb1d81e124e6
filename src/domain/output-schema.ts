/** Of everything that is printed as JSON and of the event file; counts up when a reader of before could be misled. */
export const outputSchema = 2;

/** What a command answers, as JSON with its form's number in front (schema/output.schema.json). */
export function jsonDocument(fields: object, { lines = true }: { lines?: boolean } = {}): string {
  const value = { schema: outputSchema, ...(inSnakeCase(fields) as object) };
  return `${JSON.stringify(value, undefined, lines ? 2 : undefined)}\n`;
}

/** What somebody else has named below it: the outputs of a module, the names in a runner's own file. */
function isForeign(key: string): boolean {
  return key === 'outputs' || key === 'slots';
}

/** The value as it is shown to people's own programs: every name of a field in snake_case. */
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

/** `drainTimeoutMs` as `drain_timeout_ms`. */
function snakeCase(key: string): string {
  if (!/^[a-z]+[A-Z][a-zA-Z0-9]*$/.test(key)) return key;
  return key.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** Changes each text and each key of a value. A text that is changed within its JSON could break its quotes. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [change(key), mapTexts(entry, change)]),
  );
}
