import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { filesBelow, read, root } from './tree.ts';

// No engine for containers is here to build the image with, so that what would fail there is looked for in its text.
const dockerfile = read('Dockerfile');

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

function instructionsOf(text: string): readonly Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '');
  return lines.split('\n').map((line) => {
    const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
    return { name, rest };
  });
}

interface Stage {
  readonly name: string;
  readonly from: string;
  readonly body: readonly Instruction[];
}

function stagesOf(text: string): readonly Stage[] {
  const stages: { name: string; from: string; body: Instruction[] }[] = [];
  for (const one of instructionsOf(text)) {
    const [, from = '', name = ''] = /^(\S+)(?: AS (\S+))?$/.exec(one.rest) ?? [];
    if (one.name === 'FROM') stages.push({ name, from, body: [] });
    else stages.at(-1)?.body.push(one);
  }
  return stages;
}

const known = /^(?:ARG|FROM|RUN|COPY|ENTRYPOINT|CMD|USER)$/;

/** What Docker would refuse, or what an image should not be like. */
function faultsOf(text: string): readonly string[] {
  const all = instructionsOf(text);
  const stages = stagesOf(text);
  const first = all.findIndex(({ name }) => name === 'FROM');
  const images = new Map(
    all
      .slice(0, first)
      .filter(({ name }) => name === 'ARG')
      .map(({ rest }) => {
        const [argument = '', image = ''] = rest.split('=');
        return [argument, image] as const;
      }),
  );
  return [
    ...all.filter(({ name }) => !known.test(name)).map(({ name }) => `unknown: ${name}`),
    ...stages.flatMap(({ from }, at) => {
      const earlier = stages.slice(0, at).map(({ name }) => name);
      const argument = /^\$\{(\w+)\}$/.exec(from)?.[1];
      if (argument === undefined) return earlier.includes(from) ? [] : [`no stage: ${from}`];
      const isTagged = /:(?!latest$)[\w.-]+$|@sha256:/.test(images.get(argument) ?? '');
      return isTagged ? [] : [`no tag: ${argument}`];
    }),
    ...stages.flatMap(({ body }, at) =>
      body.flatMap((one) => [...copyFaults(one, stages.slice(0, at)), ...runFaults(one)]),
    ),
  ];
}

function copyFaults({ name, rest }: Instruction, earlier: readonly Stage[]): readonly string[] {
  if (name !== 'COPY') return [];
  const [, from, source = ''] = /^(?:--from=(\S+) )?(\S+) \S+$/.exec(rest) ?? [];
  if (from !== undefined)
    return earlier.some((stage) => stage.name === from) ? [] : [`no stage: ${from}`];
  const isLetIn = read('.dockerignore').split('\n').includes(`!${source}`);
  return isLetIn && existsSync(join(root, source)) ? [] : [`not in the context: ${source}`];
}

function runFaults({ name, rest }: Instruction): readonly string[] {
  if (name === 'ENTRYPOINT' || name === 'CMD') {
    try {
      return Array.isArray(JSON.parse(rest)) ? [] : [`no list: ${rest}`];
    } catch {
      return [`no list: ${rest}`];
    }
  }
  if (name !== 'RUN' || !rest.includes('apt-get install')) return [];
  const wanted = [
    'apt-get update',
    ' -y ',
    '--no-install-recommends',
    'rm -rf /var/lib/apt/lists/*',
  ];
  return wanted.filter((part) => !rest.includes(part)).map((part) => `without ${part.trim()}`);
}

/** Whom a stage runs as, by its own word or by that of the one that it goes on from. */
function userOf(name: string, stages = stagesOf(dockerfile)): string {
  const stage = stages.find((one) => one.name === name);
  if (stage === undefined) return 'root';
  return stage.body.findLast((one) => one.name === 'USER')?.rest ?? userOf(stage.from, stages);
}

describe('the image', () => {
  test('has no fault', () => {
    expect(faultsOf(dockerfile)).toEqual([]);
  });

  test.each([
    ['no stage: terraform-bin', '--from=terraform-binary', '--from=terraform-bin'],
    ['no stage: plane', 'FROM plain AS tofu', 'FROM plane AS tofu'],
    ['no tag: TOFU_IMAGE', /^ARG TOFU_IMAGE=.*$/m, 'ARG TOFU_IMAGE=opentofu:latest'],
    ['no tag: BASE_IMAGE', /^ARG BASE_IMAGE=.*\n/m, ''],
    ['not in the context: src/', 'COPY dist/', 'COPY src/'],
    ['without --no-install-recommends', ' --no-install-recommends', ''],
    ['without rm -rf /var/lib/apt/lists/*', / \\\n {2}&& rm -rf .*$/m, ''],
    ['no list: hosted-runner', /^CMD .*$/m, 'CMD hosted-runner'],
    ['unknown: ADD', 'COPY LICENSE', 'ADD LICENSE'],
  ])('would be found to have the fault "%s"', (fault, from, to) => {
    const broken = dockerfile.replace(from, to);
    expect(broken).not.toBe(dockerfile);
    expect(faultsOf(broken)).toContain(fault);
  });

  test('has the variants that the pipeline builds, none of which runs as root', () => {
    const { images } = parse(read('.gitlab-ci.yml'));
    const targets = images.parallel.matrix.map(({ TARGET }: { TARGET: string }) => TARGET);
    const stages = stagesOf(dockerfile).map(({ name }) => name);
    expect(stages.filter((name) => !name.endsWith('-binary')).sort()).toEqual(targets.sort());
    expect(targets.map((name: string) => userOf(name))).toEqual(targets.map(() => 'node'));
  });

  test('has a Node that runs the program, which can be executed', () => {
    const major = Number(/^ARG BASE_IMAGE=node:(\d+)\./m.exec(dockerfile)?.[1]);
    const { engines } = JSON.parse(read('package.json'));
    expect(major).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
    accessSync(join(root, 'dist/index.js'), constants.X_OK);
    expect(read('dist/index.js').split('\n', 1)).toEqual(['#!/usr/bin/env node']);
  });

  /** Of a stage, by its own word or by that of the one that it goes on from. */
  const entrypointOf = (name: string, text = dockerfile): string => {
    const stage = stagesOf(text).find((one) => one.name === name);
    if (stage === undefined) return 'the base image decides';
    const own = stage.body.findLast((one) => one.name === 'ENTRYPOINT')?.rest;
    return own ?? entrypointOf(stage.from, text);
  };

  test.each(['plain', 'terraform', 'tofu'])(
    '%s has no entrypoint, because the runner of GitLab starts a shell in it',
    (target) => {
      expect(entrypointOf(target)).toBe('[]');
      const broken = dockerfile.replace('ENTRYPOINT []', 'ENTRYPOINT ["hosted-runner"]');
      expect(entrypointOf(target, broken)).not.toBe('[]');
    },
  );

  test('has the tag of its target, and the templates name the one with Terraform by default', () => {
    const { images } = parse(read('.gitlab-ci.yml'));
    const suffixes = Object.fromEntries(
      images.parallel.matrix.map((one: { TARGET: string; SUFFIX: string }) => [
        one.TARGET,
        one.SUFFIX,
      ]),
    );
    expect(suffixes).toEqual({ plain: '', terraform: '-terraform', tofu: '-tofu' });
    const build = images.script.find((line: string) => line.startsWith('docker buildx build '));
    expect(build).toMatch(
      / --target "\$TARGET" .* --tag "\$CI_REGISTRY_IMAGE:\$IMAGE_TAG\$SUFFIX" \.$/,
    );
    for (const path of filesBelow('templates').filter((one) => one.endsWith('.yml')))
      expect(read(path)).toMatch(/hosted-runner-deploy:\d+\.\d+\.\d+-terraform"/);
  });

  test.each([
    ['terraform', 'terraform', 'TERRAFORM_IMAGE'],
    ['tofu', 'tofu', 'TOFU_IMAGE'],
  ])(
    '%s has the program %s of its own base image, and runs it once',
    (target, program, argument) => {
      const stages = stagesOf(dockerfile);
      const body = stages.find(({ name }) => name === target)?.body ?? [];
      const binaries = stages.find(({ from }) => from === `\${${argument}}`)?.name;
      expect(body.map(({ name, rest }) => `${name} ${rest}`)).toEqual([
        expect.stringMatching(
          new RegExp(`^COPY --from=${binaries} /\\S*/${program} /usr/local/bin/${program}$`),
        ),
        `RUN ${program} version`,
      ]);
    },
  );

  test('has the program of dist on PATH under the name that the templates call', () => {
    const plain = stagesOf(dockerfile).find(({ name }) => name === 'plain')?.body ?? [];
    const lines = plain.map(({ name, rest }) => `${name} ${rest}`);
    expect(lines).toEqual(
      expect.arrayContaining([
        'COPY dist/ /opt/hosted-runner/',
        expect.stringMatching(
          /^RUN ln -s \/opt\/hosted-runner\/index\.js \/usr\/local\/bin\/hosted-runner &&/,
        ),
        'CMD ["hosted-runner", "--help"]',
      ]),
    );
  });
});
