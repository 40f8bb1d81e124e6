import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { version } from '../../../src/domain/project.ts';
import { FakeGitLab } from '../../scripts/publish/fake-gitlab.ts';
import { runGit } from '../../scripts/publish/git-server.ts';
import { root } from '../../support/program.ts';
import { writeMirrorConfiguration } from '../../terraform/mirror.ts';
import { type Moto, startMoto } from '../../terraform/moto.ts';
import { openWorld, shortenedVariables, type World } from '../by-hand/world/world.ts';
import { standInForAws } from '../documents/aws-stand-in.ts';
import type { Project } from '../gitlab-component/project.ts';
import { writePlayedJob } from '../gitlab-component/project.ts';
import { startAwsFront } from '../terraform/sites/aws-front.ts';

const example = 'https://gitlab.example.com';

/** Computer of a reader, with stand-ins for GitLab, AWS and the public repository. */
export interface Place {
  readonly folder: string;
  /** Sandbox. Its environment is that of the pipelines' jobs. */
  readonly world: World;
  readonly moto: Moto;
  /** GitLab that receives the project from `npm run publish:gitlab`. */
  readonly publisher: FakeGitLab;
  /** Environment of the reader's shell, with credentials of an administrator of AWS. */
  readonly shell: Readonly<Record<string, string>>;
  /** Returns the reader's project with the published components, for its pipelines. */
  projectAt(folder: string): Project;
  close(): Promise<void>;
}

export async function openPlace(motoServer: string, mirror: string): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'install-'));
  const moto = await startMoto(motoServer);
  const world = await openWorld();
  const front = await startAwsFront(world.sandbox, moto.url);
  const publisher = new FakeGitLab(join(folder, 'published'));
  publisher.accepted = world.sandbox.gitlab.deployerToken();
  publisher.group = { id: 7, full_path: 'platform', visibility: 'internal' };
  publisher.statuses = ['success'];
  await publisher.start();
  const aws = await standInForAws({
    ...moto.environment,
    AWS_DEFAULT_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL_EC2: moto.url,
    AWS_ENDPOINT_URL_SSM: moto.url,
  });
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  writeFileSync(
    join(programs, 'aws'),
    `#!/bin/sh\n[ -n "$AWS_REGION" ] || { echo 'You must specify a region.' >&2; exit 253; }\n${aws.script}\n`,
  );
  chmodSync(join(programs, 'aws'), 0o755);
  const cli = writeMirrorConfiguration(mirror);
  const git = writeRepositories(folder);
  const environment: Readonly<Record<string, string>> = {
    ...world.environment,
    ...shortenedVariables,
    ...Object.fromEntries(
      Object.keys(world.environment)
        .filter((name) => name.startsWith('AWS_ENDPOINT_URL'))
        .map((name) => [name, front.url]),
    ),
    AWS_ENDPOINT_URL: front.url,
    AWS_EC2_METADATA_DISABLED: 'true',
    TF_CLI_CONFIG_FILE: cli,
    CHECKPOINT_DISABLE: '1',
  };
  const token = 'HOSTED_RUNNER_GITLAB_TOKEN';
  const identity = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
  const region = ['AWS_REGION', 'AWS_DEFAULT_REGION'];
  return {
    folder,
    // A pipeline's jobs assume the role, so they get no credentials.
    world: { ...world, environment: without(environment, identity) },
    moto,
    publisher,
    shell: {
      ...without(environment, [token, 'HOSTED_RUNNER_CONFIG', ...region]),
      HOME: folder,
      GIT_CONFIG_GLOBAL: git,
      PATH: [programs, process.env['PATH'] ?? ''].join(delimiter),
    },
    projectAt(project) {
      const host = new URL(example).host;
      const released = join('platform/hosted-runner-deploy', version);
      cpSync(
        join(root, 'templates'),
        join(project, '.gitlab-ci-local/includes', host, released, 'templates'),
        { recursive: true },
      );
      const bin = join(folder, 'jobs');
      writePlayedJob(bin);
      return { folder: project, bin, remove: () => undefined };
    },
    async close() {
      aws.close();
      await publisher.stop();
      await world.close();
      await front.close();
      await moto.close();
      for (const one of [folder, dirname(cli)])
        rmSync(one, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function without(
  environment: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}

/**
 * Writes the public repository with the files under test, and the reader's empty one. Returns
 * Git's settings, which lead their addresses to them.
 */
function writeRepositories(folder: string): string {
  const bare = (path: string) => {
    const repository = join(folder, 'repositories', path);
    mkdirSync(repository, { recursive: true });
    runGit(repository, 'init', '--quiet', '--bare', '--initial-branch=main');
    return repository;
  };
  const repository = bare('hosted-runner/hosted-runner-deploy.git');
  const files = [`--git-dir=${repository}`, `--work-tree=${root}`];
  runGit(root, ...files, 'add', '--all');
  runGit(root, ...files, 'commit', '--quiet', '--message', 'release');
  bare('acme/runners.git');
  const settings = join(folder, 'gitconfig');
  const set = (name: string, value: string) =>
    execFileSync('git', ['config', '--file', settings, name, value]);
  set('user.name', 'reader');
  set('user.email', 'reader@example.com');
  set('init.defaultBranch', 'main');
  for (const address of ['https://gitlab.com/', `${example}/`])
    execFileSync('git', [
      ...['config', '--file', settings, '--add'],
      ...[`url.${folder}/repositories/.insteadOf`, address],
    ]);
  return settings;
}
