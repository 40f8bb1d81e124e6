import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.ts';

/** Customer job that runs until the test ends it, independent of the machine's speed. */
export interface HeldJob {
  readonly id: number;
  status(): string | undefined;
  /** Ends the job's script with success. */
  release(): void;
}

/** Submits the job and waits until it runs on the shard with its tags. */
export async function startHeldJob(
  { sandbox: { gitlab }, folder }: Pick<World, 'sandbox' | 'folder'>,
  { name, tags = ['linux'] }: { name?: string; tags?: readonly string[] } = {},
): Promise<HeldJob> {
  const file = join(mkdtempSync(join(folder, 'held-job-')), 'end');
  const script = [`while [ ! -e '${file}' ]; do sleep 0.1; done`];
  const { id } = gitlab.submitJob({
    project: 201,
    tags: [...tags],
    script,
    ...(name === undefined ? {} : { name }),
  });
  const status = () => gitlab.jobs().find((job) => job.id === id)?.status;
  while (['pending', 'assigned'].includes(status() ?? ''))
    await new Promise((resolve) => setTimeout(resolve, 20));
  if (status() !== 'running') throw new Error(`The held job ${id} is ${status()}.`);
  return { id, status, release: () => writeFileSync(file, '') };
}
