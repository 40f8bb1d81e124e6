import { type HostOutput, wholeNumber } from './hosts/host-output.ts';

/** An endpoint of the runner as `curl --include` showed it on the host. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Lines that are not empty, as far as the script printed them. */
  readonly lines: readonly string[];
  /** How many lines there were, also of those that were not printed. */
  readonly lineCount: number;
}

/** Undefined where nothing answered, or not whole. */
export function readHttpAnswer(output: HostOutput, key: string): HttpAnswer | undefined {
  const total = wholeNumber(output.first(`${key}_lines`));
  if (output.first(`${key}_code`) !== '0' || total === undefined) return undefined;
  const printed = output.all(key);
  const status = Number(/^HTTP\/[\d.]+ (\d{3})\b/.exec(printed[0] ?? '')?.[1]);
  const blank = printed.indexOf('');
  if (Number.isNaN(status) || blank < 1) return undefined;
  const body = printed.slice(blank + 1);
  const unprinted = Math.max(0, total - printed.length);
  const lines = body.filter((line) => line.trim() !== '');
  return {
    status,
    headers: new Map(printed.slice(1, blank).map(splitHeader)),
    lines,
    lineCount: lines.length + unprinted,
  };
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 0) return [line.toLowerCase(), ''];
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
