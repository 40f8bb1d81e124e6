import type { TokenWord } from '../../../ports/runner-host.ts';
import { wholeLine } from '../one-line.ts';
import type { HostOutput } from './host-output.ts';

/**
 * `verify` ends with 0 also where it could not ask GitLab, so that the words count and not the code.
 * Of a token that begins with `glrt-` 15.11 and later say `is valid` and `is not valid`; of any other one,
 * and before, it is `is alive` and `is removed`.
 */
export function judgeVerification(output: HostOutput, redact: (text: string) => string): TokenWord {
  const lines = output.all('verify').map((line) => wholeLine(line, redact));
  const refused = lines.find((line) => /\bis (?:removed|not valid)\b|403 Forbidden/i.test(line));
  if (refused !== undefined) return { kind: 'refused', detail: refused };
  const accepted = lines.find((line) => /\bis (?:alive|valid)\b/i.test(line));
  if (accepted !== undefined && output.first('verify_code') === '0')
    return { kind: 'accepted', detail: accepted };
  const last = lines.findLast((line) => line.trim() !== '');
  return { kind: 'unknown', detail: last ?? 'gitlab-runner verify said nothing' };
}
