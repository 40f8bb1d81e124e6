const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Parses `"90s"`, `"15m"` or `"1h30m"` into milliseconds; undefined for anything else, including a
 * bare number.
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:ms|s|m|h|d))+$/.test(text)) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+)(ms|s|m|h|d)/g)) {
    totalMs += Number(amount) * (unitsMs[unit ?? ''] ?? Number.NaN);
  }
  return Number.isSafeInteger(totalMs) ? totalMs : undefined;
}

/** Formats `14m 20s`, `2h 5m`, `3d 4h`: the two largest units that are not zero, or `0s`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  const parts: readonly [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  if (first < 0) return '0s';
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join(' ');
}

/** Formats an ISO 8601 time to the minute, as `2026-11-02 08:13 UTC`; other text stays unchanged. */
export function formatMinute(iso: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(iso) ?? [];
  return day === undefined ? iso : `${day} ${time} UTC`;
}
