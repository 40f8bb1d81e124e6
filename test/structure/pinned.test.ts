import { describe, expect, test } from '@jest/globals';
import { filesBelow, read } from './tree.ts';

/** Where somebody reads how a job with credentials, or a host of a shard, is set up. */
const files = [
  ...['examples', 'templates', 'docs', '.github', 'terraform'].flatMap(filesBelow),
  ...[
    'README.md',
    'action.yml',
    '.gitlab-ci.yml',
    'Dockerfile',
    '.gitlab/component-in-sandbox.gitlab-ci.yml',
  ],
].filter(
  (path) =>
    /(?:\.(?:ya?ml|md|tf|tftpl|hcl)|^Dockerfile)$/.test(path) && !path.includes('/decisions/'),
);

interface Reference {
  readonly place: string;
  readonly text: string;
}

/** What floats among them: whoever may move a tag or a branch would get the job's credentials. */
function findFloating(path: string, text: string): Reference[] {
  return text.split('\n').flatMap((line, index) => {
    const found = references.flatMap(({ pattern, isPinned }) => {
      const reference = pattern.exec(line)?.[1];
      if (reference === undefined || isPinned(reference)) return [];
      // A stage of the same Dockerfile, which is made of what is named there.
      return text.includes(` AS ${reference}\n`) && line.startsWith('FROM ') ? [] : [reference];
    });
    return found.map((reference) => ({ place: `${path}:${index + 1}`, text: reference }));
  });
}

const commit = /@[0-9a-f]{40}$/;
const release = /@v?\d+\.\d+\.\d+$/;
/** `3.22` and `alpine-v19.4.0`, but not `28-dind`: a minor version at least. */
const tagOrDigest = /(?::[A-Za-z0-9._-]*\d+\.\d+[A-Za-z0-9._-]*|@sha256:[0-9a-f]{64})$/;
/** Given by whoever includes it, or built by the same pipeline. */
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
    // The pipeline's own commit is the component under test.
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
  // A branch of the canary project holds no credentials.
  {
    pattern: /^\s+ref: ["']?([^\s"'#]+)/,
    isPinned: (text) =>
      text === 'main' || text.startsWith('$') || /^(?:v?\d+\.\d+\.\d+|[0-9a-f]{40})$/.test(text),
  },
  { pattern: /\bservices: \["?([^\s"\]]+)/, isPinned: (text) => tagOrDigest.test(text) },
  { pattern: /^ARG [A-Z_]*IMAGE=(\S+)/, isPinned: (text) => tagOrDigest.test(text) },
  { pattern: /^FROM (\S+)/, isPinned: (text) => isVariable(text) || tagOrDigest.test(text) },
  // A default of a variable or of an input.
  {
    pattern: /\bdefault\s*[:=]\s*"([a-z0-9./-]*(?:alpine|gitlab-runner|node|debian)[^"]*)"/,
    isPinned: (text) => tagOrDigest.test(text),
  },
];

test('nothing floats where jobs hold credentials', () => {
  expect(files.flatMap((path) => findFloating(path, read(path)))).toEqual([]);
});

describe('what floats is found', () => {
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
  ])('%s', (_, line) => {
    expect(findFloating('a', line)).toHaveLength(1);
  });
});

describe('what is pinned passes', () => {
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
  ])('%s', (line) => {
    expect(findFloating('a', line)).toEqual([]);
  });
});

/** What the project's own images and pipelines are made from: a tag may be moved to another image. */
const built = ['Dockerfile', '.gitlab-ci.yml', '.gitlab/component-in-sandbox.gitlab-ci.yml'];
const digest = /@sha256:(?!0{64})[0-9a-f]{64}$/;
/** Tags whose digest no public source had. Renovate adds it (`docker:pinDigests`). */
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

describe('an image that the project is built from', () => {
  const images = built.flatMap((path) => imagesIn(read(path)));

  test('is named by its digest, or is in the list of those that Renovate has to pin', () => {
    expect(images.length).toBeGreaterThan(8);
    expect(images.filter((image) => !digest.test(image)).sort()).toEqual(withoutDigest);
  });

  test('has one digest for one tag', () => {
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
  ])('without a digest is found: %s', (line) => {
    expect(imagesIn(line).filter((image) => !digest.test(image))).toHaveLength(1);
  });
});
