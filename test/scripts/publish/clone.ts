import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/program.ts';
import { FakeGitLab, token } from './fake-gitlab.ts';
import { runGit } from './git-server.ts';

/** Folder with a clone of this project, and a GitLab without projects. */
export interface PublishPlace {
  readonly folder: string;
  readonly clone: string;
  readonly gitlab: FakeGitLab;
  close(): Promise<void>;
}

export async function openPublishPlace(): Promise<PublishPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'publish-'));
  const gitlab = new FakeGitLab(join(folder, 'repositories'));
  await gitlab.start();
  const clone = join(folder, 'clone');
  writeClone(clone);
  return {
    folder,
    clone,
    gitlab,
    async close() {
      await gitlab.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Writes a small clone of this project, whose scripts are those under test. */
function writeClone(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of [
    'scripts/run.js',
    'scripts/made-from.js',
    'scripts/publish',
    'src/domain/project.ts',
    'templates',
    'docs/use/gitlab.md',
    'docs/use/networks.md',
    '.gitlab',
    'package.json',
    'LICENSE',
  ])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  mkdirSync(join(folder, 'dist'));
  writeFileSync(
    join(folder, 'dist/program.js'),
    'export const address="https://gitlab.com/hosted-runner/hosted-runner-deploy";\n',
  );
  runGit(folder, 'init', '--quiet', '--initial-branch=main');
  const digest =
    "import('./scripts/made-from.js').then((m) => process.stdout.write(m.digestOfSources()))";
  writeFileSync(
    join(folder, 'dist/made-from.txt'),
    execFileSync(process.execPath, ['-e', digest], { cwd: folder }),
  );
  commitAll(folder, 'the first');
}

export function commitAll(folder: string, text: string): void {
  runGit(folder, 'add', '--all');
  runGit(folder, 'commit', '--quiet', '--message', text);
}

export interface Run {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Runs the command in the clone. `killWhen` kills the process at the first such output. */
export function publish(
  { clone, gitlab }: { clone: string; gitlab: FakeGitLab },
  {
    args = [],
    env = {},
    group = 'platform/tools',
    killWhen,
    signal = 'SIGKILL',
  }: {
    args?: readonly string[];
    env?: Record<string, string>;
    group?: string;
    killWhen?: () => boolean;
    signal?: NodeJS.Signals;
  } = {},
): Promise<Run> {
  const words = ['--url', gitlab.url, '--group', group, '--poll-seconds', '0.02', ...args];
  const child = spawn(process.execPath, ['scripts/publish/publish.js', ...words], {
    cwd: clone,
    env: {
      PATH: process.env['PATH'],
      HOME: clone,
      GIT_CONFIG_NOSYSTEM: '1',
      HOSTED_RUNNER_GITLAB_TOKEN: token,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timer = setInterval(() => {
    if (killWhen?.() !== true) return;
    clearInterval(timer);
    child.kill(signal);
  }, 2);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  return new Promise((settle) => {
    child.on('close', (exitCode) => {
      clearInterval(timer);
      settle({ exitCode, output });
    });
  });
}
