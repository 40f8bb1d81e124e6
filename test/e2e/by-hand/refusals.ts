import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { folderVariable } from '../../../scripts/jest/tell-at-end.js';
import { waitsForName } from '../said-words.ts';
import type { End } from './world/running.ts';

/**
 * From the typing to the first line of a refusal: the error, or what is waited for to be sure of it. A name
 * that AWS keeps back is no reason: nothing was changed yet, so nobody needs a name.
 */
export interface Refusals {
  note(end: End): void;
  longest(): Pick<End, 'args' | 'code' | 'refusedAfterMs'> | undefined;
  /** A line for whoever reads the suite's log, and for the end of the run, which tells the longest of all. */
  tell(): void;
}

export function watchRefusals(): Refusals {
  let longest: (End & { readonly refusedAfterMs: number }) | undefined;
  return {
    note(end) {
      const { refusedAfterMs } = end;
      if (refusedAfterMs === undefined || !isRefusal(end)) return;
      if (refusedAfterMs > (longest?.refusedAfterMs ?? -1)) longest = { ...end, refusedAfterMs };
    },
    longest: () => longest,
    tell() {
      if (longest === undefined) return;
      const { args, code, refusedAfterMs, ms } = longest;
      const [first, whole] = [refusedAfterMs, ms].map((one) => `${(one / 1000).toFixed(2)}s`);
      const line = `${first}, ${code} of "${args.join(' ')}", which took ${whole}`;
      // Past jest, which keeps back what a suite that passes says.
      writeSync(2, `${what}: ${line}\n`);
      const folder = process.env[folderVariable];
      if (folder === undefined) return;
      const left = JSON.stringify({ what, ms: refusedAfterMs, line });
      writeFileSync(join(folder, `refusals-${process.pid}-${performance.now()}.json`), left);
    },
  };
}

/** Whether this line says why a command does not go on. */
export function tellsReason(line: string): boolean {
  return line.includes('✖') || (wait.test(line) && !waitsForName.test(line));
}

const wait = /^ {2}Waiting: /;

const what = 'Longest until the first line of a refusal';

/** What comes after an act is no refusal: its work took its time. */
function isRefusal({ exitCode, text }: End): boolean {
  if (exitCode === null || ![2, 3, 75].includes(exitCode)) return false;
  const before = text.slice(0, text.indexOf('✖')).split('\n');
  return !before.some((line) => /^(?: {2}|! )/.test(line) && !wait.test(line));
}
