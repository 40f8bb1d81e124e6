import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../support/program.ts';

/**
 * User's project: an example as its .gitlab-ci.yml, with the project's templates as if released.
 */
export interface Project {
  readonly folder: string;
  /** Folder that contains `hosted-runner`. */
  readonly bin: string;
  remove(): void;
}

const host = 'gitlab.example.com';
const released = 'hosted-runner/hosted-runner-deploy/0.1.0';

export function createProject({
  example,
  configuration,
  inputs = {},
}: {
  /** Name of the example, or the text of another pipeline. */
  example: string | { readonly text: string };
  configuration?: string;
  /** Additional inputs of the deploy component. */
  inputs?: Readonly<Record<string, boolean>>;
}): Project {
  const folder = mkdtempSync(join(tmpdir(), 'gitlab-project-'));
  const file =
    typeof example === 'string'
      ? readFileSync(join(root, 'examples/gitlab', `${example}.gitlab-ci.yml`), 'utf8')
      : example.text;
  const more = Object.entries(inputs).map(([name, value]) => `      ${name}: ${value}\n`);
  writeFileSync(
    join(folder, '.gitlab-ci.yml'),
    file.replace(/^ {4}inputs:\n/m, (line) => [line, ...more].join('')),
  );
  writeFileSync(
    join(folder, '.gitignore'),
    '.gitlab-ci-local/\n.gitlab-ci-local-variables.yml\nbin/\n',
  );
  if (configuration !== undefined) {
    writeFileSync(join(folder, 'hosted-runners.yml'), configuration);
  }
  // Cache of gitlab-ci-local, which prevents a download.
  const fetched = join(folder, '.gitlab-ci-local/includes', host, released);
  cpSync(join(root, 'templates'), join(fetched, 'templates'), { recursive: true });
  const bin = join(folder, 'bin');
  writePlayedJob(bin);
  commit(folder);
  return { folder, bin, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns the sandbox's configuration with the canary in the pipeline and short windows. */
export function shortened(
  path: string,
  stacks: readonly string[],
  bake?: Readonly<Record<string, unknown>>,
): string {
  const { defaults, ...rest } = parse(readFileSync(path, 'utf8'));
  const stack = (name: string) => [name, { registration: { tags: [name] } }];
  return JSON.stringify({
    ...rest,
    defaults: {
      ...defaults,
      canary: { kind: 'job' },
      healthcheck: { timeout: '5m', poll: '200ms' },
      drain: { poll_of_runner: '600ms', confirmation: '2s', poll: '200ms' },
      ...(bake === undefined ? {} : { bake }),
    },
    stacks: Object.fromEntries(stacks.map(stack)),
  });
}

/** Writes `hosted-runner` for jobs into a folder. */
export function writePlayedJob(folder: string): void {
  const script = join(import.meta.dirname, 'played-job.js');
  const path = join(folder, 'hosted-runner');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  chmodSync(path, 0o755);
}

function commit(folder: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', `git@${host}:acme/runners.git`);
  git('add', '.');
  git('commit', '--quiet', '--message=runners');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
}
