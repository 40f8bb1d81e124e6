import { describe, expect, test } from '@jest/globals';
import { filesBelow, read } from './tree.ts';

/** Files that show the setup of a job with credentials or of a shard's host. */
const files = [
  ...['examples', 'templates', 'docs', '.github', 'terraform'].flatMap(filesBelow),
  ...[
    'README.md',
    'action.yml',
    '.gitlab-ci.yml',
    'Dockerfile',
    '.gitlab/component-in-sandbox.gitlab-ci.yml',
    '.gitlab/publish.gitlab-ci.yml',
  ],
].filter(
  (path) =>
    /(?:\.(?:ya?ml|md|tf|tftpl|hcl)|^Dockerfile)$/.test(path) && !path.includes('/decisions/'),
);

interface Reference {
  readonly place: string;
  readonly text: string;
}

/**
 * Lists references that can move. Anyone with control of a moved tag or branch would get the job's
 * credentials.
 */
function findFloating(path: string, text: string): Reference[] {
  return text.split('\n').flatMap((line, index) => {
    const found = references.flatMap(({ pattern, isPinned }) => {
      const reference = pattern.exec(line)?.[1];
      if (reference === undefined || isPinned(reference)) return [];
      // The reference is a stage of the same Dockerfile.
      return text.includes(` AS ${reference}\n`) && line.startsWith('FROM ') ? [] : [reference];
    });
    return found.map((reference) => ({ place: `${path}:${index + 1}`, text: reference }));
  });
}

const commit = /@[0-9a-f]{40}$/;
const release = /@v?\d+\.\d+\.\d+$/;
/**
 * Tag with at least a minor version, or a digest: `3.22` and `alpine-v19.4.0`, but not `28-dind`.
 */
const tagOrDigest = /(?::[A-Za-z0-9._-]*\d+\.\d+[A-Za-z0-9._-]*|@sha256:[0-9a-f]{64})$/;
/**
 * Decides whether the image is a variable: the including project provides it, or the same pipeline
 * builds it.
 */
const isVariable = (image: string) => image.startsWith('$');

const references: readonly {
  readonly pattern: RegExp;
  readonly isPinned: (text: string) => boolean;
}[] = [
  {
    pattern: /\buses: ["']?([^\s"'#]+)/,
    isPinned: (text) => text.startsWith('./') || commit.test(text) || release.test(text),
  },
  {
    pattern: /\bcomponent: ["']?([^\s"'#]+)/,
    // The component under test has the pipeline's own commit.
    isPinned: (text) => release.test(text) || text.endsWith('@$CI_COMMIT_SHA'),
  },
  {
    pattern: /(?:^|[{,])\s*(?:- )?(?:image|[a-z_]+_image|[A-Z_]+_IMAGE): ["']?([^\s"'#},]+)/,
    isPinned: (text) => isVariable(text) || tagOrDigest.test(text),
  },
  {
    pattern: /\bplugin\s*=\s*(?:optional\(string, )?"([^"]+)"/,
    isPinned: (text) => isVariable(text) || /:\d+\.\d+\.\d+$/.test(text),
  },
  // A branch of the canary project has no credentials.
  {
    pattern: /^\s+ref: ["']?([^\s"'#]+)/,
    isPinned: (text) =>
      text === 'main' || text.startsWith('$') || /^(?:v?\d+\.\d+\.\d+|[0-9a-f]{40})$/.test(text),
  },
  { pattern: /\bservices: \["?([^\s"\]]+)/, isPinned: (text) => tagOrDigest.test(text) },
  { pattern: /^ARG [A-Z_]*IMAGE=(\S+)/, isPinned: (text) => tagOrDigest.test(text) },
  { pattern: /^FROM (\S+)/, isPinned: (text) => isVariable(text) || tagOrDigest.test(text) },
  // The reference is the default of a variable or an input.
  {
    pattern: /\bdefault\s*[:=]\s*"([a-z0-9./-]*(?:alpine|gitlab-runner|node|debian)[^"]*)"/,
    isPinned: (text) => tagOrDigest.test(text),
  },
];

test('no unpinned version occurs in jobs with credentials', () => {
  expect(files.flatMap((path) => findFloating(path, read(path)))).toEqual([]);
});

describe('an unpinned version', () => {
  test.each([
    ['a major tag', '      - uses: OWNER/hosted-runner-deploy@v0'],
    ['a checkout of a major tag', '          ref: v0'],
    ['a branch', '    uses: OWNER/hosted-runner-deploy/.github/workflows/a.yml@main # a comment'],
    ['a component of any release', '  - component: $CI_SERVER_FQDN/a/b/deploy@~latest'],
    ['a component of a minor version', '  - component: $CI_SERVER_FQDN/a/b/deploy@0.1'],
    ['an image without a tag', '    image: alpine'],
    ['a major version', '      canary_image: alpine:3'],
    ['the latest', '    image: "registry.example.com:5000/a/b:latest"'],
    ['a port, which is no tag', '    image: registry.example.com:5000/a/b'],
    ['a plugin', '    plugin = "aws:latest"'],
    ['a default', '      default: "alpine:3"'],
    ['a variable of the CI', '  NODE_IMAGE: node:24-bookworm'],
    ['a service', '  services: [docker:28-dind]'],
    ['an argument of an image', 'ARG BASE_IMAGE=node:24-bookworm-slim'],
    ['a base of an image', 'FROM debian:stable'],
  ])('causes a finding: %s', (_, line) => {
    expect(findFloating('a', line)).toHaveLength(1);
  });
});

describe('a pinned version', () => {
  test.each([
    '      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2',
    '        uses: ./.hosted-runner-deploy',
    '      - uses: OWNER/hosted-runner-deploy@0.1.0',
    '    image: registry.example.com/hosted-runner-deploy:0.1.0',
    `    image: alpine@sha256:${'0'.repeat(64)}`,
    '  image: "$[[ inputs.image ]]"',
    `          ref: $${'{'}{ job.workflow_sha }}`,
    '          ref: 0.1.0',
    '    plugin = "aws:1.1.0"',
    '  NODE_IMAGE: node:24.11.1-bookworm',
    `  services: ["docker:28.5.1-dind@sha256:${'0'.repeat(64)}"]`,
    'FROM $BASE_IMAGE',
  ])('causes no finding: %s', (line) => {
    expect(findFloating('a', line)).toEqual([]);
  });
});

/** Sources of the project's own images and pipelines. Tags may move to another image. */
const built = [
  'Dockerfile',
  '.gitlab-ci.yml',
  '.gitlab/component-in-sandbox.gitlab-ci.yml',
  '.gitlab/publish.gitlab-ci.yml',
];
const digest = /@sha256:(?!0{64})[0-9a-f]{64}$/;
/** Tags without a digest in any public source. Renovate adds it (`docker:pinDigests`). */
const withoutDigest = [
  'ghcr.io/opentofu/opentofu:1.10.7-minimal',
  'registry.gitlab.com/gitlab-org/cli:v1.118.0',
];

function imagesIn(text: string): string[] {
  const patterns = [
    /^ARG [A-Z_]*IMAGE=(\S+)/gm,
    /^\s*(?:image|[A-Z_]+_IMAGE): ["']?([^\s"'#]+)/gm,
    /^\s*services: \["?([^\s"\]]+)/gm,
  ];
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, image = '']) => image))
    .filter((image) => !isVariable(image));
}

describe('a base image of the project', () => {
  const images = built.flatMap((path) => imagesIn(read(path)));

  test('must have a digest, or stand in the list that Renovate pins', () => {
    expect(images.length).toBeGreaterThan(8);
    expect([...new Set(images.filter((image) => !digest.test(image)))].sort()).toEqual(
      withoutDigest,
    );
  });

  test('must have one digest for one tag', () => {
    const tags = new Set(images.map((image) => image.replace(/@.*/, '')));
    expect(new Set(images).size).toBe(tags.size);
  });

  test('gets its digest from Renovate', () => {
    const { extends: presets, enabledManagers } = JSON.parse(read('renovate.json'));
    expect(presets).toContain('docker:pinDigests');
    expect(enabledManagers).toEqual(expect.arrayContaining(['dockerfile', 'gitlabci']));
  });

  test.each([
    'ARG BASE_IMAGE=node:24.11.1-bookworm-slim',
    '  image: docker:28.5.1',
    `  services: ["docker:28.5.1@sha256:${'0'.repeat(64)}"]`,
  ])('causes a finding without a digest: %s', (line) => {
    expect(imagesIn(line).filter((image) => !digest.test(image))).toHaveLength(1);
  });
});
