/**
 * Meaning of each status of a refused write, and how often it is sent. A refusal has changed
 * nothing, an outage may have.
 */
export const statuses = [
  [401, 'unauthenticated', 'none', 'once'],
  [403, 'denied', 'none', 'once'],
  [404, 'refused', 'none', 'once'],
  [408, 'unavailable', 'unknown', 'once'],
  [409, 'refused', 'none', 'once'],
  [422, 'refused', 'none', 'once'],
  [425, 'unavailable', 'unknown', 'once'],
  [429, 'throttled', 'none', 'again'],
  [500, 'unavailable', 'unknown', 'once'],
  [502, 'unavailable', 'unknown', 'once'],
  [503, 'unavailable', 'unknown', 'once'],
] as const;

export function timesIn(sent: readonly string[]): 'again' | 'once' | 'never' {
  if (sent.length === 0) return 'never';
  return sent.length > 1 ? 'again' : 'once';
}
