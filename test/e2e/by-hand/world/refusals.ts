import { spawnSync } from 'node:child_process';
import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { folderVariable } from '../../../../scripts/jest/tell-at-end.js';
import type { ErrorCode } from '../../../../src/domain/error-codes.ts';
import { waitsForName } from '../../said-words.ts';
import type { End } from './running.ts';

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

/** For a person who has typed. It is told of, not asserted: a machine may do other things as well. */
export const patientMs = 2000;

type Longest = End & { readonly refusedAfterMs: number; readonly bareStartMs: number };

export function watchRefusals(): Refusals {
  let longest: Longest | undefined;
  const count = { all: 0, late: 0 };
  return {
    note(end) {
      const { refusedAfterMs } = end;
      if (refusedAfterMs === undefined || !isRefusal(end)) return;
      count.all += 1;
      if (refusedAfterMs > patientMs) count.late += 1;
      if (refusedAfterMs <= (longest?.refusedAfterMs ?? -1)) return;
      longest = { ...end, refusedAfterMs, bareStartMs: startBare() };
    },
    longest: () => longest,
    tell() {
      if (longest === undefined) return;
      const line = tellLongest(longest, count);
      // Past jest, which keeps back what a suite that passes says.
      writeSync(2, `${what}: ${line}\n`);
      const folder = process.env[folderVariable];
      if (folder === undefined) return;
      const left = JSON.stringify({ what, ms: longest.refusedAfterMs, line });
      writeFileSync(join(folder, `refusals-${process.pid}-${performance.now()}.json`), left);
    },
  };
}

export function tellLongest(
  {
    args,
    code,
    refusedAfterMs,
    ms,
    bareStartMs,
  }: Pick<Longest, 'args' | 'code' | 'ms'> & Pick<Longest, 'refusedAfterMs' | 'bareStartMs'>,
  { all, late }: { readonly all: number; readonly late: number },
): string {
  const [first, whole, bare, patient] = [refusedAfterMs, ms, bareStartMs, patientMs].map(
    (one) => `${(one / 1000).toFixed(2)}s`,
  );
  const times = (refusedAfterMs / bareStartMs).toFixed(1);
  const mark = late > 0 ? `ABOVE ${patient} (${late} of ${all}): ` : '';
  return `${mark}${first}, ${code} of "${args.join(' ')}", which took ${whole}; right after it a bare node started in ${bare}, so that this is ${times} starts`;
}

/** On a machine that does other things as well the same command takes many times as long, and so does this. */
function startBare(): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - startedAt;
}

/** Whether this line says why a command does not go on. */
export function tellsReason(line: string): boolean {
  return line.includes('✖') || (wait.test(line) && !waitsForName.test(line));
}

const wait = /^ {2}Waiting: /;

const what = 'Longest until the first line of a refusal';

/** Ends of a wait or of what was asked again and again: these took the time that they were given. */
const foundOut: ReadonlySet<string | undefined> = new Set<ErrorCode | undefined>([
  undefined,
  'Bug',
  'EndpointSilent',
  'HealthInconclusive',
  'HealthcheckTimedOut',
  'CanaryFailed',
  'NotHealthy',
  'OutputLost',
  'SandboxUnreachable',
  'Throttled',
  'Unavailable',
  'Unreachable',
]);

/** What comes after an act is no refusal: its work took its time. */
export function isRefusal({
  exitCode,
  code,
  text,
}: Pick<End, 'exitCode' | 'code' | 'text'>): boolean {
  if (exitCode === null || ![1, 2, 3, 75].includes(exitCode)) return false;
  if (exitCode === 1 && foundOut.has(code)) return false;
  const before = text.slice(0, text.indexOf('✖')).split('\n');
  return !before.some((line) => /^(?: {2}|! )/.test(line) && !wait.test(line));
}
