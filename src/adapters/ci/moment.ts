const pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * Parses an ISO 8601 time with a zone into milliseconds since 1970. Undefined for anything else.
 */
export function parseMoment(text: string): number | undefined {
  if (!pattern.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** Returns the moment in the format of deployment records. */
export function normalMoment(text: string): string {
  return new Date(parseMoment(text) ?? Number.NaN).toISOString();
}
