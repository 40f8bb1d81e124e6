import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { filesBelow, read, root } from './tree.ts';

// Docker's own refusals fail the image build in the pipelines. These tests cover problems that no
// build reports.
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

/** Returns the user of a stage, inherited from its base stage if absent. */
function userOf(name: string, stages = stagesOf(dockerfile)): string {
  const stage = stages.find((one) => one.name === name);
  if (stage === undefined) return 'root';
  return stage.body.findLast((one) => one.name === 'USER')?.rest ?? userOf(stage.from, stages);
}

describe('the image', () => {
  test('copies only files that .dockerignore permits', () => {
    const letIn = read('.dockerignore').split('\n');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from=)(\S+) \S+$/gm)].map(
      ([, source = '']) => source,
    );
    expect(copied.length).toBeGreaterThan(0);
    for (const source of copied) {
      expect(letIn).toContain(`!${source}`);
      expect(existsSync(join(root, source))).toBe(true);
    }
  });

  test('exists in the variants that the pipeline builds, and none runs as root', () => {
    const { images } = parse(read('.gitlab-ci.yml'));
    const targets = images.parallel.matrix.map(({ TARGET }: { TARGET: string }) => TARGET);
    const stages = stagesOf(dockerfile).map(({ name }) => name);
    expect(stages.filter((name) => !name.endsWith('-binary')).sort()).toEqual(targets.sort());
    expect(targets.map((name: string) => userOf(name))).toEqual(targets.map(() => 'node'));
  });

  test('contains a Node that runs the program, which is executable', () => {
    const major = Number(/^ARG BASE_IMAGE=node:(\d+)\./m.exec(dockerfile)?.[1]);
    const { engines } = JSON.parse(read('package.json'));
    expect(major).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
    accessSync(join(root, 'dist/index.js'), constants.X_OK);
    expect(read('dist/index.js').split('\n', 1)).toEqual(['#!/usr/bin/env node']);
  });

  /** Returns the entrypoint of a stage, inherited from its base stage if absent. */
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

  test('gets the tag of its target, and the templates name the one with Terraform by default', () => {
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
    'contains, in %s, the program %s of its base image, and runs it once',
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

  test('contains the program of dist on PATH under the name that the templates call', () => {
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
