import type { TokenWord } from '../ports/runner-host.ts';
import type { HostOutput } from './host-output.ts';
import { oneLine } from './words.ts';

/**
 * `verify` ends with 0 also where it could not ask GitLab, so that the words count and not the code.
 * Versions before 16 say `is alive` and `is removed`, later ones `is valid` and `is not valid`.
 */
export function judgeVerification(output: HostOutput, redact: (text: string) => string): TokenWord {
  const lines = output.all('verify').map((line) => oneLine(redact(line)));
  const refused = lines.find((line) => /\bis (?:removed|not valid)\b|403 Forbidden/i.test(line));
  if (refused !== undefined) return { kind: 'refused', detail: refused };
  const accepted = lines.find((line) => /\bis (?:alive|valid)\b/i.test(line));
  if (accepted !== undefined && output.first('verify_code') === '0')
    return { kind: 'accepted', detail: accepted };
  const last = lines.findLast((line) => line.trim() !== '');
  return { kind: 'unknown', detail: last ?? 'gitlab-runner verify said nothing' };
}
