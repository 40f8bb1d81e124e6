import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Container on a machine's docker besides the runner manager. */
export interface Container {
  id: string;
  name: string;
  image: string;
  labels: Record<string, string>;
  createdAt: string;
  state: 'running' | 'exited';
  exitCode: number;
  log: string;
  finished: Promise<void>;
}

export class Containers {
  readonly #root: string;
  readonly list: Container[] = [];
  readonly volumes = new Map<string, Record<string, string>>();

  constructor(root: string) {
    this.#root = root;
  }

  find(nameOrId: string): Container | undefined {
    return this.list.find(
      ({ name, id }) => name === nameOrId || (nameOrId.length >= 4 && id.startsWith(nameOrId)),
    );
  }

  remove(container: Container): void {
    const at = this.list.indexOf(container);
    if (at >= 0) this.list.splice(at, 1);
  }

  createVolume(name: string, labels: Record<string, string>): void {
    this.volumes.set(name, labels);
    mkdirSync(this.volumeFolder(name), { recursive: true, mode: 0o700 });
  }

  removeVolume(name: string): boolean {
    rmSync(this.volumeFolder(name), { recursive: true, force: true });
    return this.volumes.delete(name);
  }

  volumeFolder(name: string): string {
    return join(this.#root, 'volumes', name.replaceAll(/[^\w.-]/g, '_'));
  }
}
