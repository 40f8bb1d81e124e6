import { writeSync } from 'node:fs';
import type { End } from './running.ts';

/** From the typing to the first line of a refusal: nothing was changed yet, so nothing was waited for. */
export interface Refusals {
  note(end: End): void;
  longest(): Pick<End, 'args' | 'code' | 'refusedAfterMs'> | undefined;
  /** A line for whoever reads the suite's log. */
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
      const { args, code, refusedAfterMs } = longest;
      const seconds = (refusedAfterMs / 1000).toFixed(2);
      // Past jest, which keeps back what a suite that passes says.
      writeSync(
        2,
        `Longest until the first line of a refusal: ${seconds}s, ${code} of "${args.join(' ')}"\n`,
      );
    },
  };
}

/** What comes after an act is no refusal: its work took its time. */
function isRefusal({ exitCode, text }: End): boolean {
  if (exitCode === null || ![2, 3, 75].includes(exitCode)) return false;
  const before = text.slice(0, text.indexOf('✖'));
  return !/^(?: {2}|! )/m.test(before);
}
