import { join } from 'node:path';
import type { Log } from '../ports/log.ts';
import { endEvent } from '../report/evidence/run-lines.ts';

/** The events of the run go there as they happen and not at its end: a killed run leaves them, too. */
const evidenceFileName = 'evidence.jsonl';

/** The file that was asked for by name, or else the one among the reports. */
export function evidenceFileOf(options: {
  readonly evidenceFile?: string | undefined;
  readonly reportDirectory?: string | undefined;
}): string | undefined {
  const { evidenceFile, reportDirectory } = options;
  if (evidenceFile !== undefined) return evidenceFile;
  return reportDirectory === undefined ? undefined : join(reportDirectory, evidenceFileName);
}

/** What a command fails with is the last line of its evidence. */
export async function tellingFailure<T>(
  log: Pick<Log, 'event'>,
  command: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { asDeployError } = await import('../errors/outside.ts');
    log.event(endEvent({ error: asDeployError(error, command) }));
    throw error;
  }
}
