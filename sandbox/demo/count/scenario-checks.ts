import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Number of checks whether a shard accepts jobs, and of those without a verdict. */
export interface CheckCounts {
  readonly checkCount: number;
  readonly unknown: number;
}

export interface ScenarioChecks {
  readonly whole: CheckCounts;
  /** Counts of scenarios that break a part of the stack. */
  readonly broken: CheckCounts;
}

/** Returns the event file that all programs of one scenario append to. */
export function eventFile(folder: string, scenario: number): string {
  return join(folder, `evidence-${scenario}.jsonl`);
}

export async function countChecks(
  folder: string,
  scenarios: readonly { readonly isBroken?: boolean }[],
): Promise<ScenarioChecks> {
  const counted = { whole: { checkCount: 0, unknown: 0 }, broken: { checkCount: 0, unknown: 0 } };
  for (const [scenario, { isBroken }] of scenarios.entries()) {
    const count = isBroken === true ? counted.broken : counted.whole;
    for (const kind of await answersIn(eventFile(folder, scenario))) {
      count.checkCount += 1;
      if (kind === 'unknown') count.unknown += 1;
    }
  }
  return counted;
}

/** Reads the verdicts. The last line of a killed program may be incomplete. */
async function answersIn(file: string): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines
    .filter((line) => line.includes('"kind":"service"') && line.endsWith('}'))
    .map((line) => (JSON.parse(line) as { service: { kind: string } }).service.kind);
}
