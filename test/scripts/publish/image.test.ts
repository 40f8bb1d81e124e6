import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '../../support/program.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'append-image-'));
  for (const name of ['bin', 'tools/bin', 'tools/usr/local/bin'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'bin/crane'), crane);
  writeFileSync(join(folder, 'tools/bin/terraform'), 'terraform');
  writeFileSync(join(folder, 'tools/usr/local/bin/tofu'), 'tofu');
  chmodSync(join(folder, 'bin/crane'), 0o755);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Records each call, exports the tools, and keeps each layer under the name of its image. */
const crane = `#!/bin/sh
set -eu
echo "$*" >> "$FOLDER/calls"
if [ "$1" = "\${REFUSED:-}" ]; then echo "crane: refused" >&2; exit 1; fi
case $1 in
  export) tar -cf "$5" -C "$FOLDER/tools" bin usr ;;
  mutate) cp "$6" "$FOLDER/\${10##*:}.tar" ;;
esac
`;

function append(target: string, variables: Record<string, string> = {}) {
  const result = spawnSync('sh', ['.gitlab/append-image.sh', target], {
    cwd: root,
    encoding: 'utf8',
    env: {
      PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
      TMPDIR: folder,
      FOLDER: folder,
      BASE_IMAGE: 'base:1.0.0',
      CI_REGISTRY_IMAGE: 'registry.example.com/platform/hosted-runner-deploy',
      IMAGE_TAG: '0.1.0',
      PLATFORMS: 'linux/amd64 linux/arm64',
      ...variables,
    },
  });
  const calls = existsSync(join(folder, 'calls'))
    ? readFileSync(join(folder, 'calls'), 'utf8')
    : '';
  return { ...result, calls: calls.trim().split('\n') };
}

function extract(layer: string): string {
  const into = join(folder, 'extracted');
  mkdirSync(into);
  execFileSync('tar', ['-xpf', join(folder, layer), '-C', into]);
  return into;
}

describe('the layer of the image', () => {
  test.each([
    ['plain', '', undefined],
    ['terraform', '-terraform', 'terraform'],
    ['tofu', '-tofu', 'tofu'],
  ])(
    'the layer of %s has the program under the name that the templates call, and the tool',
    (target, suffix, tool) => {
      const { status, stderr, calls } = append(target);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const image = `registry.example.com/platform/hosted-runner-deploy:0.1.0${suffix}`;
      expect(calls.at(-1)).toBe(
        `index append --manifest ${image}-linux-amd64 --manifest ${image}-linux-arm64 --tag ${image}`,
      );
      expect(calls.filter((call) => call.startsWith('mutate '))).toEqual(
        ['amd64', 'arm64'].map((name) =>
          expect.stringMatching(
            new RegExp(
              `^mutate base:1\\.0\\.0 --platform linux/${name} --append \\S+ --user node --tag ${image}-linux-${name}$`,
            ),
          ),
        ),
      );
      const layer = `0.1.0${suffix}-linux-arm64.tar`;
      const into = extract(layer);
      if (tool !== undefined)
        expect(readFileSync(join(into, 'usr/local/bin', tool), 'utf8')).toBe(tool);
      const listed = execFileSync('tar', ['-tvf', join(folder, layer)], { encoding: 'utf8' });
      expect(listed).toContain('usr/local/bin/hosted-runner -> /opt/hosted-runner/index.js');
      // Such an entry would replace the owner of a folder of the base image.
      expect(listed).not.toMatch(/ (?:usr|opt|usr\/local|usr\/local\/bin)\/?$/m);
      const program = join(into, 'opt/hosted-runner/index.js');
      expect(execFileSync(program, ['version'], { encoding: 'utf8' })).toMatch(/0\.1\.0/);
    },
  );

  test('the layer has the same permissions if the runner checked files out with 0666', () => {
    const copy = join(folder, 'checkout');
    mkdirSync(join(copy, 'dist'), { recursive: true });
    mkdirSync(join(copy, '.gitlab'));
    for (const name of ['Dockerfile', 'LICENSE', '.gitlab/append-image.sh'])
      writeFileSync(join(copy, name), readFileSync(join(root, name)));
    for (const name of ['index.js', 'program.js']) {
      writeFileSync(join(copy, 'dist', name), '');
      chmodSync(join(copy, 'dist', name), 0o666);
    }
    symlinkSync(join(copy, 'dist'), join(copy, 'unused'));
    execFileSync('sh', [join(copy, '.gitlab/append-image.sh'), 'plain'], {
      cwd: copy,
      env: {
        PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
        FOLDER: folder,
        BASE_IMAGE: 'base',
        CI_REGISTRY_IMAGE: 'r/i',
        IMAGE_TAG: '1',
        PLATFORMS: 'linux/amd64',
      },
    });
    const listed = execFileSync('tar', ['-tvf', join(folder, '1-linux-amd64.tar')], {
      encoding: 'utf8',
    });
    const modes = listed.split('\n').map((line) => [line.slice(0, 10), line.split('/').at(-1)]);
    expect(modes).toContainEqual(['-rwxr-xr-x', 'index.js']);
    expect(modes).toContainEqual(['-rw-r--r--', 'program.js']);
  });

  test.each(['export', 'mutate', 'index'])('fails the job if crane refuses %s', (REFUSED) => {
    const { status, stderr } = append('terraform', { REFUSED });
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'crane: refused\n' });
  });

  test('refuses an unknown target', () => {
    expect(append('debian')).toMatchObject({
      status: 2,
      stderr: 'The target is "debian"; expected plain, terraform or tofu.\n',
    });
  });

  test.each([
    ['TERRAFORM_IMAGE', 'terraform'],
    ['TOFU_IMAGE', 'tofu'],
  ])('takes the tool from %s of the Dockerfile, or from the given image', (name, target) => {
    const pinned = new RegExp(`^ARG ${name}=(\\S+)$`, 'm').exec(
      readFileSync(join(root, 'Dockerfile'), 'utf8'),
    );
    expect(append(target).calls[0]).toContain(`export --platform linux/amd64 ${pinned?.[1]} `);
    rmSync(join(folder, 'calls'));
    expect(append(target, { [name]: 'mirror.example.com/tool:1' }).calls[0]).toContain(
      ' mirror.example.com/tool:1 ',
    );
  });
});

describe('the pipeline of a mirror', () => {
  const text = readFileSync(join(root, '.gitlab/publish.gitlab-ci.yml'), 'utf8');
  const pipeline = parse(text);

  test('builds by default the image that the templates name', () => {
    expect(pipeline.variables.TARGETS).toBe('terraform');
    const template = readFileSync(join(root, 'templates/deploy/template.yml'), 'utf8');
    expect(template).toContain('"$CI_REGISTRY/hosted-runner/hosted-runner-deploy:0.1.0-terraform"');
  });

  test.each([
    ['hosted-runner/hosted-runner-deploy', '0.1.0', 0],
    ['Hosted-Runner/hosted-runner-deploy', '0.1.0', 0],
    ['platform/hosted-runner-deploy', '0.1.0', 1],
    ['hosted-runner/hosted-runner-deploy', '0.2.0', 1],
  ])('compares its project %s and tag %s with the image of the templates', (path, tag, status) => {
    const env = { PATH: process.env['PATH'], CI_PROJECT_PATH: path, CI_COMMIT_TAG: tag };
    const check = pipeline.images.script.find((line: string) => line.startsWith('grep '));
    expect(spawnSync('sh', ['-c', check], { cwd: root, env }).status).toBe(status);
  });

  test('needs no service and no Docker, and releases with the keyword of the catalog', () => {
    expect(text).not.toMatch(/services:|docker build|privileged/);
    expect(pipeline.release.release).toMatchObject({ tag_name: '$CI_COMMIT_TAG' });
    expect(pipeline.stages).toEqual(['image', 'release']);
  });
});
