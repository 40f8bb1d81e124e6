import { runnerNamePattern } from '../domain/keys/name-patterns.ts';
import type { StackSettings } from '../domain/settings.ts';
import type { RunnerName } from '../domain/shard.ts';
import { show } from '../domain/text/show.ts';
import { didYouMean } from '../domain/text/suggestion.ts';
import { type RootModule, readRootModule } from './files/root-module-check.ts';
import type { SourceDocument } from './layers/document.ts';
import { readLayer, readPairs } from './layers/file-layers.ts';
import { type Layer, mergeLayers, ranks } from './layers/layer.ts';
import type { Environment } from './layers/overrides.ts';
import type { Problem } from './problem.ts';
import { resolveKeys } from './resolve.ts';
import { findUsurpations } from './rules/authority.ts';
import { findForeignApi } from './rules/github-address.ts';
import { readLocked } from './rules/key-locks.ts';
import { findKeyContradictions } from './rules/rules.ts';
import { findWarnings } from './rules/warnings.ts';
import { buildSettings } from './settings/settings-builder.ts';

export interface ReadStacks {
  readonly stacks: ReadonlyMap<RunnerName, StackSettings>;
  readonly warnings: readonly string[];
  readonly problems: readonly Problem[];
  /** All names in the file, also of stacks with problems. */
  readonly names: readonly string[];
  /** Root modules of the stacks, also of stacks with problems in other keys. */
  readonly rootModules: readonly RootModule[];
}

/** Reads all stacks of the file, with the layers of the environment and the flags on top. */
export function readStacks({
  source,
  stronger,
  environment,
}: {
  source: SourceDocument;
  stronger: readonly Layer[];
  environment: Environment;
}): ReadStacks {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const stacks = new Map<RunnerName, StackSettings>();
  const rootModules: RootModule[] = [];
  const top = readTop(source, problems);
  const locked = readLocked({ source, value: top.locked, problems });
  const defaults = readLayer({
    source,
    node: top.defaults,
    where: 'defaults',
    rank: ranks.defaults,
  });
  problems.push(...defaults.problems);
  for (const { name, place, value } of top.stacks) {
    if (!runnerNamePattern.test(name)) {
      const text = `stacks: ${show(name)} is not a name of 1 to 63 lower-case letters, digits and inner hyphens`;
      problems.push({ place, text });
      continue;
    }
    const runnerName = name as RunnerName;
    const own = readLayer({
      source,
      node: value,
      where: `stacks.${name}`,
      rank: ranks.stack,
    });
    const merged = mergeLayers([defaults.layer, own.layer]);
    const layer = mergeLayers([merged, ...stronger]);
    const usurped = findUsurpations({ merged, stronger, locked });
    const resolved = resolveKeys({ layer, stack: { name: `stacks.${name}`, place }, environment });
    const contradictions = findKeyContradictions(resolved.keys);
    const found = [
      ...own.problems,
      ...usurped,
      ...resolved.problems,
      ...contradictions,
      ...findForeignApi(resolved.keys, environment),
    ];
    problems.push(...found);
    const rootModule = readRootModule(runnerName, resolved.keys);
    if (rootModule !== undefined) rootModules.push(rootModule);
    if (found.length > 0) continue;
    const settings = buildSettings(runnerName, resolved.keys);
    stacks.set(runnerName, settings);
    warnings.push(...findWarnings(settings));
  }
  const names = top.stacks.map(({ name }) => name);
  return { stacks, warnings, problems, names, rootModules };
}

const topKeys = ['version', 'defaults', 'stacks', 'locked'];

function readTop(source: SourceDocument, problems: Problem[]) {
  const root = source.document.contents;
  const place = { kind: 'file', line: 1, column: 1 } as const;
  const before = problems.length;
  const pairs = readPairs({ source, mapping: root, where: 'the file', problems });
  if (problems.length > before) return { defaults: undefined, stacks: [], locked: undefined };
  for (const { name, place: where } of pairs) {
    if (topKeys.includes(name)) continue;
    problems.push({ place: where, text: `unknown key ${show(name)}${didYouMean(name, topKeys)}` });
  }
  const find = (name: string) => pairs.find((pair) => pair.name === name);
  checkVersion({ source, version: find('version'), problems });
  const stacks = find('stacks');
  const named = readPairs({ source, mapping: stacks?.value, where: 'stacks', problems });
  if (stacks === undefined) problems.push({ place, text: 'stacks is missing' });
  else if (named.length === 0 && problems.length === before) {
    problems.push({ place: stacks.place, text: 'stacks: expected at least one stack, found none' });
  }
  return { defaults: find('defaults')?.value, stacks: named, locked: find('locked')?.value };
}

function checkVersion({
  source,
  version,
  problems,
}: {
  source: SourceDocument;
  version: { readonly value: unknown; readonly place: Problem['place'] } | undefined;
  problems: Problem[];
}): void {
  if (version === undefined) {
    const place = { kind: 'file', line: 1, column: 1 } as const;
    problems.push({ place, text: 'version is missing; write "version: 1"' });
    return;
  }
  const node = source.resolve(version.value) as { value?: unknown } | null;
  if (node?.value === 1) return;
  const text = `version: expected 1, the only version that this release supports, found ${show(node?.value)}`;
  problems.push({ place: source.placeOf(version.value), text });
}
