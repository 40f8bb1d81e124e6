import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ActionsRunner } from '../../../sandbox/actions-runner/runner.ts';
import { listen } from '../../../sandbox/listening.ts';
import type { ManagerSettings } from '../../../sandbox/manager/orders.ts';
import { createSandboxGitHub, type SandboxGitHub } from '../../github/sandbox-github.ts';

export interface Wish {
  readonly version?: string;
  readonly group?: string;
  readonly labels?: readonly string[];
  readonly ephemeral?: boolean;
  /** Registration token; not needed after an earlier registration. */
  readonly token?: string;
  readonly onLine?: (line: string) => void;
}

/** The sandbox's GitHub behind a socket, with a home folder for the listeners of one host. */
export interface ListenerWorld {
  readonly sandbox: SandboxGitHub;
  readonly home: string;
  newToken(): Promise<string>;
  start(wish: Wish): Started;
  /** Returns the files in `_diag` that its listeners wrote. */
  record(): string;
  close(): Promise<void>;
}

export interface Started {
  readonly runner: ActionsRunner;
  readonly log: readonly string[];
  /** Exit code of the listener. */
  readonly ended: Promise<number>;
}

export async function openListenerWorld(): Promise<ListenerWorld> {
  const sandbox = await createSandboxGitHub();
  const server = await listen(sandbox.github, 0);
  const home = mkdtempSync(join(tmpdir(), 'actions-runner-'));
  return {
    sandbox,
    home,
    async newToken() {
      const answer = await sandbox.client.request(
        'POST /orgs/acme/actions/runners/registration-token',
      );
      return (answer.data as { token: string }).token;
    },
    start({
      version = '2.337.0',
      group = 'Default',
      labels = [],
      ephemeral = false,
      token = '',
      onLine = () => undefined,
    }) {
      const log: string[] = [];
      const settings = {
        url: `http://127.0.0.1:${server.port}`,
        token,
        version,
        conduct: 'works',
        checkIntervalMs: 1,
        traceIntervalMs: 1,
        buildsFolder: join(home, 'builds'),
        searchPath: process.env['PATH'] ?? '',
        github: { name: 'pink-linux-i-0123456789abcdef0', labels, group, ephemeral, home },
      } as unknown as ManagerSettings;
      const runner = new ActionsRunner({
        settings,
        log: (line) => {
          log.push(line);
          onLine(line);
        },
        onContact: () => undefined,
        onWorkers: () => undefined,
        now: () => 0,
      });
      return { runner, log, ended: runner.run() };
    },
    record() {
      const folder = join(home, '_diag');
      const files = existsSync(folder) ? readdirSync(folder) : [];
      return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('');
    },
    async close() {
      await server.close();
      sandbox.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
