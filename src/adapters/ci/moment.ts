const pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Milliseconds since 1970 of an ISO 8601 time with its zone; undefined for anything else. */
export function parseMoment(text: string): number | undefined {
  if (!pattern.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** The same moment in the one form that records are written in. */
export function normalMoment(text: string): string {
  return new Date(parseMoment(text) ?? Number.NaN).toISOString();
}
