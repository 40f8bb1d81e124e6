import type { TokenCheck } from '../../../ports/runner-host.ts';
import { wholeLine } from '../line-text.ts';

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

/**
 * `verify` ends with 0 also where it could not ask GitLab, so that the words count and not the code.
 * Of a token that begins with `glrt-` 15.11 and later say `is valid` and `is not valid`; of any other one,
 * and before, it is `is alive` and `is removed`.
 */
export function judgeVerification(
  output: HostOutput,
  redact: (text: string) => string,
): TokenCheck {
  const lines = output.all('verify').map((line) => wholeLine(line, redact));
  const refused = lines.find((line) => /\bis (?:removed|not valid)\b|403 Forbidden/i.test(line));
  if (refused !== undefined) return { kind: 'refused', detail: refused };
  const accepted = lines.find((line) => /\bis (?:alive|valid)\b/i.test(line));
  if (accepted !== undefined && output.first('verify_code') === '0')
    return { kind: 'accepted', detail: accepted };
  const last = lines.findLast((line) => line.trim() !== '');
  return { kind: 'unknown', detail: last ?? 'gitlab-runner verify said nothing' };
}
