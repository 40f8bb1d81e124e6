import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, test } from '@jest/globals';
import { root } from './program.ts';

/** Programs outside of npm, and whether .ci/run installs them. */
const tools = {
  node22: { installed: true, places: [join(root, '.ci/tools/node_modules/node22/bin/node')] },
  node24: { installed: true, places: [join(root, '.ci/tools/node_modules/node24/bin/node')] },
  rsync: { installed: true, places: [] },
  curl: { installed: true, places: [] },
  shellcheck: { installed: true, places: [] },
  strace: { installed: true, places: [] },
  terraform: { installed: false, places: [] },
  'gitlab-runner': { installed: false, places: [] },
  moto_server: {
    installed: false,
    places: [join(root, '.ci/tools/moto/bin/moto_server')],
  },
  chromium: { installed: false, places: [] },
  python3: { installed: false, places: [] },
  zsh: { installed: false, places: [] },
  fish: { installed: false, places: [] },
} satisfies Record<string, { installed: boolean; places: string[] }>;

export type ToolName = keyof typeof tools;

/**
 * Returns the path of a tool: `TOOL_GITLAB_RUNNER=…` if given, else the project's own copy, else
 * from PATH.
 */
function findTool(name: ToolName): string | undefined {
  const given = process.env[`TOOL_${name.replaceAll('-', '_').toUpperCase()}`];
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  return [...(given ? [given] : tools[name].places), ...(given ? [] : onPath)].find(isExecutable);
}

/**
 * Defines a suite that needs other programs. Without them, the suite is skipped, and its name lists
 * them. On a CI, it fails if .ci/run would have installed them or REQUIRED_TOOLS names them.
 */
export function describeWithTools(
  { name, needs }: { name: string; needs: readonly ToolName[] },
  body: (path: (tool: ToolName) => string) => void,
): void {
  const missing = needs.filter((tool) => findTool(tool) === undefined);
  if (missing.length === 0) {
    describe(name, () => body((tool) => findTool(tool) ?? tool));
    return;
  }
  const required = (process.env['REQUIRED_TOOLS'] ?? '').split(/[\s,]+/);
  const owed = missing.filter((tool) => tools[tool].installed || required.includes(tool));
  if (process.env['CI'] === 'true' && owed.length > 0) {
    test(`${name}: ${owed.join(', ')} exists, because .ci/run installs it`, () => {
      throw new Error(`Not found: ${owed.join(', ')}. Did .ci/run or the CI's job install it?`);
    });
    return;
  }
  // biome-ignore lint/suspicious/noSkippedTests: the tool is missing, as the name shows
  describe.skip(`${name} (not found: ${missing.join(', ')})`, () => body((tool) => tool));
}

/** Defines a suite that runs the released gitlab-runner in GITLAB_RUNNER_BINARY. */
export function describeWithReleasedRunner(name: string, body: (binary: string) => void): void {
  const binary = process.env['GITLAB_RUNNER_BINARY'] ?? '';
  if (binary !== '') {
    describe(name, () => body(binary));
    return;
  }
  // biome-ignore lint/suspicious/noSkippedTests: the program is missing, as the name shows
  describe.skip(`${name} (GITLAB_RUNNER_BINARY is not set)`, () => body('gitlab-runner'));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
