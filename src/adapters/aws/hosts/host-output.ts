import type { TokenCheck } from '../../../ports/runner-host.ts';
import { wholeLine } from '../line-text.ts';

/** Output of a host script: `key=value` lines. A key may occur several times. */
export interface HostOutput {
  /** Returns the first value of a key. Undefined if the script did not print it. */
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

/** Parses a non-negative whole number. Returns undefined for anything else. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/**
 * Reads the result of `verify` from its output. The command also exits with 0 if it cannot reach
 * GitLab. For a token that begins with `glrt-`, 15.11 and later print `is valid` and `is not
 * valid`. For other tokens and older versions, the output is `is alive` and `is removed`.
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
  return { kind: 'unknown', detail: last ?? 'gitlab-runner verify printed nothing' };
}
