import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { filesBelow, read } from '../structure/tree.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  readonly needs?: readonly string[];
}

const text = read('.github/workflows/release.yml');
const { jobs, permissions } = parse(text) as {
  readonly jobs: Readonly<Record<string, Job>>;
  readonly permissions: object;
};
const all = Object.entries(jobs);
const canWrite = ({ permissions: granted = {} }: Job) => Object.values(granted).includes('write');

describe('a release', () => {
  test('grants nothing to all of its jobs, and write access only to those of the environment', () => {
    expect(permissions).toEqual({});
    expect(all.filter(([, job]) => canWrite(job)).map(([name]) => name)).toEqual([
      'publish',
      'npm',
    ]);
    for (const [, job] of all) expect(job.environment).toBe(canWrite(job) ? 'release' : undefined);
  });

  test('publishes only commits that are on main and verified', () => {
    const { verify, publish, npm } = jobs;
    const fetched = verify?.steps?.find(({ uses = '' }) => uses.startsWith('actions/checkout@'));
    expect(fetched?.with).toMatchObject({ 'fetch-depth': 0 });
    expect(verify?.steps?.map(({ run }) => run)).toContain(
      'git merge-base --is-ancestor "$GITHUB_SHA" origin/main',
    );
    expect([publish?.needs, npm?.needs]).toEqual([['verify'], ['publish']]);
  });

  test('needs no stored token, because npm trusts the workflow', () => {
    expect(text).not.toMatch(/secrets\./);
    expect(jobs['npm']?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(jobs['npm']?.steps?.at(-1)?.run).toContain('npm publish --provenance');
  });

  test('restores no cache of another run', () => {
    const setups = all.flatMap(([, { steps = [] }]) =>
      steps.filter(({ uses = '' }) => uses.startsWith('actions/setup-node@')),
    );
    expect(setups.length).toBe(3);
    for (const setup of setups)
      expect(setup.with).toMatchObject({ 'package-manager-cache': false });
    expect(text).not.toContain('actions/cache');
  });

  test('includes a list of its packages, which is attested and attached like the archive', () => {
    const steps = jobs['publish']?.steps ?? [];
    expect(steps.map(({ run }) => run).join('\n')).toContain('npm sbom --sbom-format cyclonedx');
    const attested = steps.find(({ uses = '' }) => uses.includes('attest-build-provenance'));
    for (const file of ['.tar.gz', '.cdx.json']) {
      expect(attested?.with?.['subject-path']).toContain(`hosted-runner-deploy-*${file}`);
      expect(steps.find(({ run = '' }) => run.startsWith('gh release create'))?.run).toContain(
        `hosted-runner-deploy-$GITHUB_REF_NAME${file}`,
      );
    }
  });
});

describe('the pipeline of GitLab', () => {
  const pipeline = parse(read('.gitlab-ci.yml'));

  test('releases only a tag of the default branch, in an environment that can be protected', () => {
    expect(pipeline.version.script).toEqual(
      expect.arrayContaining(['git merge-base --is-ancestor "$CI_COMMIT_SHA" FETCH_HEAD']),
    );
    expect(pipeline.release.environment).toEqual({ name: 'release' });
  });

  test('checks for known vulnerabilities in every pipeline, as on GitHub', () => {
    const audit = 'npm audit --package-lock-only --audit-level=high';
    expect(pipeline.audit.script).toEqual([audit]);
    expect(read('.github/workflows/security.yml')).toContain(`- run: ${audit}\n`);
  });
});

const workflows = ['.github/workflows', 'examples/github', 'examples/github-runners']
  .flatMap(filesBelow)
  .filter((path) => path.endsWith('.yml') && !path.endsWith('/hosted-runners.yml'));

test.each(workflows)('%s leaves no credentials in a checkout', (path) => {
  const found = Object.values((parse(read(path)) as { jobs: Record<string, Job> }).jobs);
  const checkouts = found
    .flatMap(({ steps = [] }) => steps)
    .filter(({ uses = '' }) => uses.startsWith('actions/checkout@'));
  for (const checkout of checkouts)
    expect(checkout.with).toMatchObject({ 'persist-credentials': false });
});
