import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GuardedShell, spawnGuardedShell } from '../hosts/programs/guarded-shell.ts';
import type { ManagerSettings } from '../manager/orders.ts';
import type { TakenJob } from './session.ts';

/** `Runner.Worker`: the process of one job. */
export class WorkerProcess {
  readonly job: TakenJob;
  readonly #folder: string;
  readonly #shell: GuardedShell;
  #stopped = false;

  constructor(job: TakenJob, settings: ManagerSettings) {
    this.job = job;
    this.#folder = join(settings.buildsFolder, String(job.id));
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const scriptFile = join(this.#folder, '.script.sh');
    writeFileSync(scriptFile, `set -e\n${job.script.join('\n')}\n`, { mode: 0o600 });
    this.#shell = spawnGuardedShell({
      scriptFile,
      folder: this.#folder,
      environment: { PATH: settings.searchPath, HOME: this.#folder },
      onOutput: () => undefined,
    });
  }

  get pid(): number | undefined {
    return this.#shell.pid;
  }

  async run(): Promise<'success' | 'failure'> {
    const code = await this.#shell.finished;
    rmSync(this.#folder, { recursive: true, force: true });
    return code === 0 && !this.#stopped ? 'success' : 'failure';
  }

  stop(): void {
    this.#stopped = true;
    this.#shell.signal('SIGKILL');
  }
}
