/** Formats a time like GitLab: ISO 8601, to the millisecond, in UTC. */
export function moment(at: number): string;
export function moment(at: number | null): string | null;
export function moment(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

export function secondsBetween(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.max(0, (to - from) / 1000);
}
