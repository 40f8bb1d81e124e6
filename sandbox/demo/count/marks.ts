import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { shellQuoted } from '../../../src/domain/text/shell-quoting.ts';

/** Marks that a job's script leaves: a line at its start and one at its end. */
export interface Marks {
  /** Number of starts. More than one means that the job ran twice. */
  readonly starts: number;
  readonly ends: number;
  /** Milliseconds since 1970, from the file system. */
  readonly startedAt?: number;
  readonly endedAt?: number;
}

export const noMarks: Marks = { starts: 0, ends: 0 };

/** Returns a customer job's script, which writes its marks without code of the sandbox. */
export function markedScript({
  folder,
  number,
  durationMs,
}: {
  folder: string;
  number: number;
  durationMs: number;
}): string[] {
  return betweenMarks({ folder, number }, `sleep ${durationMs / 1000}`);
}

/** Returns a script that runs until `releaseFile` exists. */
export function heldScript(job: { folder: string; number: number }): string[] {
  return betweenMarks(job, `until [ -e ${shellQuoted(releaseFile(job))} ]; do sleep 0.1; done`);
}

export function releaseFile({ folder, number }: { folder: string; number: number }): string {
  return join(folder, `${number}.release`);
}

function betweenMarks({ folder, number }: { folder: string; number: number }, work: string) {
  const mark = (kind: string) =>
    `echo ${kind} >> ${shellQuoted(join(folder, `${number}.${kind}`))}`;
  return [mark('start'), work, mark('end')];
}

/** Reads the marks of all jobs, by number. */
export async function readMarks(folder: string): Promise<ReadonlyMap<number, Marks>> {
  const all = new Map<number, Marks>();
  for (const name of await readdir(folder)) {
    const [, number, kind] = /^(\d+)\.(start|end)$/.exec(name) ?? [];
    if (number === undefined) continue;
    const file = join(folder, name);
    const count = (await readFile(file, 'utf8')).split('\n').length - 1;
    const at = (await stat(file)).mtimeMs;
    const known = all.get(Number(number)) ?? noMarks;
    const own = kind === 'start' ? { starts: count, startedAt: at } : { ends: count, endedAt: at };
    all.set(Number(number), { ...known, ...own });
  }
  return all;
}
