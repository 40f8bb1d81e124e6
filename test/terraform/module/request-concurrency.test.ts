import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { writeConfiguration } from '../../../sandbox/hosts/released-runner.ts';
import type { ManagerSettings } from '../../../sandbox/manager/orders.ts';
import { root } from '../../support/program.ts';

/**
 * Lists reasons why gitlab-runner prints "Long polling issues detected" at its start with this
 * configuration.
 * https://docs.gitlab.com/runner/configuration/advanced-configuration/#long-polling-issues
 */
function whyWarned(toml: string): readonly string[] {
  const sections = toml.split(/^\s*\[\[runners\]\]\s*$/m);
  const [head = '', ...runners] = sections;
  const number = (text: string, key: string) =>
    Number(new RegExp(`^\\s*${key}\\s*=\\s*(\\d+)`, 'm').exec(text)?.[1]);
  const few = number(head, 'concurrent') < runners.length ? ['concurrent below the runners'] : [];
  const slow = runners.some((one) => !(number(one, 'request_concurrency') > 1));
  return [...few, ...(slow ? ['request_concurrency is 1'] : [])];
}

const folders = ['docs', 'examples', 'terraform', 'templates', 'sandbox', 'src/cli/starting'];
const shown = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  )
  .filter((name) => !name.includes('.terraform') && statSync(join(root, name)).isFile())
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8').replaceAll('\\n', '\n') }));

describe('a configuration of gitlab-runner', () => {
  test('causes a warning with one request at a time, and with fewer jobs than runners', () => {
    expect(whyWarned('concurrent = 4\n[[runners]]\n  name = "a"\n')).toEqual([
      'request_concurrency is 1',
    ]);
    expect(whyWarned('concurrent = 1\n[[runners]]\n  request_concurrency = 2\n')).toEqual([]);
    expect(whyWarned('concurrent = 0\n[[runners]]\n  request_concurrency = 2\n')).toEqual([
      'concurrent below the runners',
    ]);
  });

  test('causes a warning with the request count for each file with a [[runners]] section', () => {
    const found = shown.filter(({ text }) => /^\s*\[\[runners\]\]$/m.test(text));
    expect(found.map(({ name }) => name)).toEqual([
      'terraform/files/config.toml.tftpl',
      'src/cli/starting/root-module.ts',
    ]);
    for (const { text } of found)
      expect(text).toMatch(/^\[\[runners\]\]\n(?: {2}.*\n)*? {2}request_concurrency = \$\{/m);
  });

  test.each([1, 2, 3, 4, 10])(
    'causes no warning if the sandbox writes it for %d concurrent jobs',
    (concurrent) => {
      const folder = mkdtempSync(join(tmpdir(), 'released-'));
      const configFile = join(folder, 'config.toml');
      const settings = {
        url: 'http://127.0.0.1:9',
        token: 'glrt-x',
        concurrent,
        checkIntervalMs: 3000,
        buildsFolder: folder,
      };
      writeConfiguration(
        { binary: 'none', configFile, port: 9252, searchPath: '' },
        settings as unknown as ManagerSettings,
      );
      expect(whyWarned(readFileSync(configFile, 'utf8'))).toEqual([]);
      rmSync(folder, { recursive: true, force: true });
    },
  );

  test('gets the same number of requests from the other module', () => {
    const example = readFileSync(join(root, 'examples/terraform/cattle-ops/main.tf'), 'utf8');
    expect(example).toMatch(/^ {4}request_concurrency = [2-4]$/m);
  });
});
