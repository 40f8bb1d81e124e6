import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { publish, writeClone } from './clone.ts';
import { FakeGitLab, token } from './fake-gitlab.ts';
import { runGit } from './git-server.ts';

let folder: string;
let gitlab: FakeGitLab;
let place: { clone: string; gitlab: FakeGitLab };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'publish-'));
  gitlab = new FakeGitLab(join(folder, 'repositories'));
  await gitlab.start();
  place = { clone: join(folder, 'clone'), gitlab };
  writeClone(place.clone);
});

afterEach(async () => {
  await gitlab.stop();
  rmSync(folder, { recursive: true, force: true });
});

const show = (path: string) => runGit(gitlab.repository, 'show', `0.1.0:${path}`);

test('creates the project, adds it to the catalog, pushes, waits and prints the address', async () => {
  const { exitCode, output } = await publish(place, { args: ['--yes'] });
  expect(output).toContain(
    '  - component: $CI_SERVER_FQDN/Platform/tools/hosted-runner-deploy/deploy@0.1.0\n',
  );
  expect(exitCode).toBe(0);
  expect(gitlab.changes).toEqual(['POST /api/v4/projects', 'POST /api/graphql mutation', 'git push']);
  expect(gitlab.project).toMatchObject({
    visibility: 'internal',
    ci_config_path: '.gitlab/publish.gitlab-ci.yml',
    description: expect.stringMatching(/\w/),
  });
  expect(output).toContain(
    'Release: 0.1.0. Image: platform/tools/hosted-runner-deploy:0.1.0-terraform. CI/CD catalog: listed.',
  );
});
