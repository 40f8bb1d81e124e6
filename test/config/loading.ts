import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Configuration,
  type ConfigurationFiles,
  loadConfiguration,
} from '../../src/config/load.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import type { RunnerName } from '../../src/domain/shard.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';
import { root } from '../support/program.ts';

export const example = readFileSync(join(root, 'examples/hosted-runners.yml'), 'utf8');

export interface Given {
  text?: string;
  environment?: Record<string, string>;
  overrides?: string[];
}

export function load({
  text = example,
  environment = {},
  overrides = [],
}: Given = {}): Promise<Configuration> {
  return loadConfiguration({ files: filesOf(async () => text), environment, overrides });
}

export async function loadStack(given: Given, name = 'linux'): Promise<StackSettings> {
  return (await load(given)).stacks.get(name as RunnerName)!;
}

/** Returns configuration files without links, below the root. */
export function filesOf(read: ConfigurationFiles['read']): ConfigurationFiles {
  return { read, realPath: async (path) => resolve('/', path) };
}

/** Lists the lines of all problems; empty if none. */
export async function problemsOf(given: Given): Promise<readonly string[]> {
  return (await refusal(() => load(given)))?.fields.why ?? [];
}

export async function refusal(run: () => unknown): Promise<DeployError | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof DeployError) return error;
    throw error;
  }
}

/**
 * Returns the smallest valid file with more keys of its stack from line 12 on, indented under the
 * stack.
 */
export function withKeys(...lines: string[]): string {
  return `${minimal}${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** Smallest file of a stack of GitHub runners. More keys can follow. */
export const fleet = `version: 1
stacks:
  linux:
    runners: github
    github: {organization: acme}
    registration: {tags: [linux]}
    canary: {kind: 'off'}
    infrastructure: {apply: [./up, "{shard}"], destroy: [./down, "{shard}"]}
`;

export const minimal = `version: 1
defaults:
  gitlab:
    url: https://gitlab.example.com
  registration:
    scope: instance
    tags: [linux]
  infrastructure:
    apply: [./up, "{shard}"]
    destroy: [./down, "{shard}"]
stacks:
  linux:
`;
