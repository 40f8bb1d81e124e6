import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { read } from '../structure/tree.ts';
import { root } from '../support/program.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly if?: string;
  readonly 'continue-on-error'?: boolean;
}

interface Job {
  readonly if?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly Step[];
  readonly 'continue-on-error'?: boolean;
}

interface Workflow {
  readonly on: object;
  readonly jobs: { readonly verify: Job; readonly publish: Job; readonly npm: Job };
}

const workflow = parse(read('.github/workflows/release.yml')) as Workflow;
const { verify, publish, npm } = workflow.jobs;
/** Parts that `.ci/run` runs by default. */
const gate = /^\[ \$# -gt 0 \] \|\| set -- (.+)$/m.exec(read('.ci/run'))?.[1]?.split(' ');

function scriptOf({ steps }: Job, name: string): string {
  const { run } = steps.find((step) => step.name === name) ?? {};
  if (run === undefined) throw new Error(`no step is named ${name}`);
  return run;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a step's script like GitHub. Returns whether the step succeeds. */
function succeeds(script: string, env: Readonly<Record<string, string>>): boolean {
  const PATH = `${folder}:${process.env['PATH']}`;
  try {
    const options = { cwd: root, env: { PATH, ...env }, stdio: 'pipe' as const };
    execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], options);
    return true;
  } catch {
    return false;
  }
}

describe('the release workflow of GitHub', () => {
  test('starts for a tag with three numbers only', () => {
    expect(workflow.on).toEqual({ push: { tags: ['[0-9]+.[0-9]+.[0-9]+'] } });
  });

  test('runs each part of the verification completely, and no step of a job may fail', () => {
    expect(gate).toHaveLength(3);
    expect(verify.strategy?.matrix['part']).toEqual(gate);
    expect(verify.steps.at(-1)).toEqual({
      run: 'bash .ci/run --whole "$PART"',
      env: { PART: `\${{ matrix.part }}`, REQUIRED_TOOLS: 'terraform moto_server' },
    });
    for (const job of [verify, publish, npm]) {
      expect(job['continue-on-error']).toBeUndefined();
      for (const step of job.steps) {
        expect(step.if).toBeUndefined();
        expect(step['continue-on-error']).toBeUndefined();
      }
    }
    expect([verify.if, publish.if]).toEqual([undefined, undefined]);
    expect(npm.if).toBe(`\${{ vars.NPM_TRUSTED_PUBLISHING == 'true' }}`);
  });

  test("accepts a tag that is the package's version, and no other", () => {
    const script = scriptOf(verify, 'The tag is the version of the package');
    const { version } = JSON.parse(read('package.json'));
    expect(succeeds(script, { GITHUB_REF_NAME: version })).toBe(true);
    expect(succeeds(script, { GITHUB_REF_NAME: `${version}0` })).toBe(false);
  });

  test('gives each job the permissions that its steps need, and no other', () => {
    expect(verify.permissions).toEqual({ contents: 'read' });
    expect(publish.permissions).toEqual({
      contents: 'write',
      'id-token': 'write',
      attestations: 'write',
    });
  });

  test('attests what it packed, then publishes it, and moves the major tag last', () => {
    const order = publish.steps.map(({ name, uses }) => name ?? uses?.replace(/@.*$/, ''));
    expect(order).toEqual([
      'actions/checkout',
      'actions/setup-node',
      'Pack what users run',
      'List what is in it',
      'actions/attest-build-provenance',
      'Publish the release',
      'Move the major tag',
    ]);
    expect(scriptOf(publish, 'Publish the release')).toMatch(
      /^gh release create "\$GITHUB_REF_NAME" --verify-tag /,
    );
  });

  test('packs the files that the action, the templates and a user’s configuration need', () => {
    const [, names = ''] = /\.tar\.gz" (.+)$/.exec(scriptOf(publish, 'Pack what users run')) ?? [];
    const packed = names.split(' ');
    const { main } = parse(read('action.yml')).runs as { main: string };
    expect(packed).toEqual(['dist', 'action.yml', 'templates', 'schema', 'LICENSE']);
    expect(packed).toContain(main.split('/')[0]);
    expect(packed.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  test.each([
    ['moves', 0, ['--method PATCH repos/a/b/git/refs/tags/v12 -f sha=c0ffee -F force=true']],
    [
      'creates',
      1,
      [
        '--method PATCH repos/a/b/git/refs/tags/v12 -f sha=c0ffee -F force=true',
        '--method POST repos/a/b/git/refs -f ref=refs/tags/v12 -f sha=c0ffee',
      ],
    ],
  ])('%s the tag of its major version', (_, exitOfPatch, calls) => {
    const seen = join(folder, 'seen');
    const file = join(folder, 'gh');
    writeFileSync(
      file,
      `#!/bin/sh\nshift\necho "$*" >>'${seen}'\n[ "$2" = PATCH ] && exit ${exitOfPatch}\nexit 0\n`,
    );
    chmodSync(file, 0o755);
    const env = { GITHUB_REF_NAME: '12.3.4', GITHUB_REPOSITORY: 'a/b', GITHUB_SHA: 'c0ffee' };
    expect(succeeds(scriptOf(publish, 'Move the major tag'), env)).toBe(true);
    expect(readFileSync(seen, 'utf8').trim().split('\n')).toEqual(calls);
  });

  test('publishes the package with its provenance, for all', () => {
    expect(npm.steps.at(-1)?.run?.trim().split('\n')).toEqual([
      'npm pkg set "repository.url=git+$GITHUB_SERVER_URL/$GITHUB_REPOSITORY.git"',
      'npm publish --provenance --access public',
    ]);
  });
});

describe('the release of GitLab', () => {
  const pipeline = parse(read('.gitlab-ci.yml'));

  test('comes after every other stage and waits for all of them', () => {
    expect(pipeline.stages).toEqual(['check', 'component', 'image', 'release']);
    expect(pipeline.tests.stage).toBe('check');
    expect(pipeline.release.stage).toBe('release');
    const free = ['needs', 'when', 'dependencies', 'allow_failure'];
    expect(Object.keys(pipeline.release).filter((key) => free.includes(key))).toEqual([]);
    const mayFail = Object.entries(pipeline as Record<string, { allow_failure?: unknown }>);
    expect(mayFail.filter(([, { allow_failure }]) => allow_failure !== undefined)).toEqual([]);
  });

  test('belongs to a tag with three numbers, whose commit is verified completely', () => {
    expect(pipeline.release.rules).toEqual([{ if: '$CI_COMMIT_TAG =~ /^\\d+\\.\\d+\\.\\d+$/' }]);
    expect(pipeline.release.release.tag_name).toBe('$CI_COMMIT_TAG');
    expect(pipeline.tests.script).toEqual(['bash .ci/run $WHOLE $PART']);
    expect(pipeline.tests.parallel.matrix).toEqual([{ PART: gate }]);
    expect(pipeline.tests.rules[0]).toEqual({
      if: '$CI_COMMIT_TAG',
      variables: { WHOLE: '--whole' },
    });
  });

  test('waits for the component, which is tested at the same commit', () => {
    expect(pipeline.component.trigger).toEqual({
      include: [{ local: '.gitlab/component-in-sandbox.gitlab-ci.yml' }],
      strategy: 'depend',
    });
  });

  test('builds the image of its tag for both architectures, attested, and signs it', () => {
    const { rules, script } = pipeline.images;
    expect(pipeline.variables.IMAGE_TAG).toBe('$CI_COMMIT_SHA');
    expect(rules).toEqual([
      { if: '$CI_COMMIT_TAG', variables: { IMAGE_TAG: '$CI_COMMIT_TAG' } },
      { if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' },
    ]);
    const [build = '', , , sign = ''] = script as string[];
    for (const words of [
      '--push',
      '--target "$TARGET"',
      '--platform linux/amd64,linux/arm64',
      '--provenance=mode=max',
      '--sbom=true',
      '--tag "$CI_REGISTRY_IMAGE:$IMAGE_TAG$SUFFIX"',
    ])
      expect(build.split(/ (?=--)/).map((word) => word.replace(/ \.$/, ''))).toContain(words);
    expect(sign).toMatch(/ sign --yes "\$CI_REGISTRY_IMAGE@\$DIGEST"$/);
    expect(pipeline.images.id_tokens).toEqual({ SIGSTORE_ID_TOKEN: { aud: 'sigstore' } });
  });

  test('checks that the tag, the program, the templates and the changelog agree', () => {
    expect(pipeline.version.rules).toEqual([{ if: '$CI_COMMIT_TAG' }]);
    expect(pipeline.version.script.slice(2)).toEqual([
      'node scripts/version.js --check "$CI_COMMIT_TAG"',
      'node scripts/version.js --project "$CI_PROJECT_PATH"',
      'grep -F "## $CI_COMMIT_TAG" CHANGELOG.md',
    ]);
  });
});
