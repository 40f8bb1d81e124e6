import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How often it was asked whether a shard serves, and how often nobody could tell. */
export interface Judged {
  readonly asked: number;
  readonly unknown: number;
}

export interface JudgedScenarios {
  readonly whole: Judged;
  /** Where something of the stack's own was broken. */
  readonly broken: Judged;
}

/** Of the programs of one scenario, which append to it. */
export function eventFile(folder: string, scenario: number): string {
  return join(folder, `evidence-${scenario}.jsonl`);
}

export async function countJudged(
  folder: string,
  scenarios: readonly { readonly isBroken?: boolean }[],
): Promise<JudgedScenarios> {
  const counted = { whole: { asked: 0, unknown: 0 }, broken: { asked: 0, unknown: 0 } };
  for (const [scenario, { isBroken }] of scenarios.entries()) {
    const count = isBroken === true ? counted.broken : counted.whole;
    for (const kind of await answersIn(eventFile(folder, scenario))) {
      count.asked += 1;
      if (kind === 'unknown') count.unknown += 1;
    }
  }
  return counted;
}

/** The last line of one that was killed may be cut off. */
async function answersIn(file: string): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines
    .filter((line) => line.includes('"kind":"service"') && line.endsWith('}'))
    .map((line) => (JSON.parse(line) as { service: { kind: string } }).service.kind);
}
