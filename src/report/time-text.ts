import { formatDuration } from '../domain/text/duration.ts';

const minuteMs = 60_000;

/** Formats a time as `2026-11-02 08:13 UTC`. */
export function formatMoment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Formats an external time like `formatMoment`, or reports that it is invalid. */
export function formatDate(iso: string): string {
  const at = Date.parse(iso);
  return Number.isFinite(at) ? formatMoment(at) : 'not known';
}

/** Formats an external time as `2026-11-02 08:13:04 UTC`. Invalid text stays unchanged. */
export function formatInstant(iso: string): string {
  const at = Date.parse(iso);
  return Number.isFinite(at)
    ? `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    : iso;
}

/** Formats an age as `5d 3h`, to the minute: a page that changes each second is hard to read. */
export function formatAge(iso: string | number, now: number): string {
  const ms = now - (typeof iso === 'number' ? iso : Date.parse(iso));
  if (!Number.isFinite(ms)) return 'an unknown time';
  return ms < minuteMs ? 'less than a minute' : formatDuration(ms - (ms % minuteMs));
}
