import { posix } from 'node:path';
import { type Module, parseSync } from '@swc/core';
import { filesBelow, read } from './tree.ts';

export interface Import {
  specifier: string;
  /** Path of the imported file of ours; undefined for a package or a part of Node. */
  path: string | undefined;
  /** `type` is erased by the compiler, `lazy` is an `import()`. */
  kind: 'static' | 'lazy' | 'type';
}

export interface Source {
  path: string;
  /** Its room: a folder of src or beside it, `adapters/aws`, `stages/record`; `root` for src/main.ts. */
  folder: string;
  imports: Import[];
  module: Module;
}

export type SyntaxNode = { type: string } & Record<string, unknown>;

let sources: Source[] | undefined;

/** All of them are parsed once in a suite. */
export function readSources(): Source[] {
  sources ??= roots
    .flatMap(filesBelow)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const module = parseSync(read(path), { syntax: 'typescript', target: 'es2022' });
      return { path, folder: folderOf(path), module, imports: importsOf({ path, module }) };
    });
  return sources;
}

/** What runs, the world that it is tried in, and what is written when it is built. */
const roots = ['src', 'sandbox', 'generate', 'model'];
/** Rooms that stand in another one and keep rules of their own. */
const inner = /^src\/(adapters\/[a-z]+|stages\/record|report\/(?:dashboard|endpoint))\//;

export function folderOf(path: string): string {
  const room = inner.exec(path)?.[1];
  if (room !== undefined) return room;
  const [top = '', folder = '', rest] = path.split('/');
  if (top !== 'src') return top;
  return rest === undefined ? 'root' : folder;
}

/** `@scope/name` or `name`, without the path into the package; undefined for ours and for Node's. */
export function packageOf({ specifier, path }: Import): string | undefined {
  if (path !== undefined || specifier.startsWith('node:')) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Every node of the syntax tree, in the order of the text. */
export function nodesOf(value: unknown): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one !== 'object' || one === null) continue;
    if ('type' in one && typeof one.type === 'string') nodes.push(one as SyntaxNode);
    left.push(...Object.values(one).reverse());
  }
  return nodes;
}

function importsOf({ path, module }: { path: string; module: Module }): Import[] {
  const imports: Import[] = [];
  for (const node of nodesOf(module)) {
    const found = importIn(node);
    if (found === undefined) continue;
    const relative = found.specifier.startsWith('.');
    imports.push({
      ...found,
      path: relative ? posix.join(posix.dirname(path), found.specifier) : undefined,
    });
  }
  return imports;
}

function importIn(node: SyntaxNode): Omit<Import, 'path'> | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration': {
      const specifier = textOf(node['source']);
      const kind = node['typeOnly'] === true ? 'type' : 'static';
      return specifier === undefined ? undefined : { specifier, kind };
    }
    case 'TsImportType': {
      const specifier = textOf(node['argument']);
      return specifier === undefined ? undefined : { specifier, kind: 'type' };
    }
    case 'CallExpression': {
      if ((node['callee'] as SyntaxNode).type !== 'Import') return undefined;
      const [argument] = node['arguments'] as Array<{ expression: unknown }>;
      return { specifier: textOf(argument?.expression) ?? '(not a literal)', kind: 'lazy' };
    }
    default:
      return undefined;
  }
}

function textOf(node: unknown): string | undefined {
  const literal = node as { type?: string; value?: unknown } | null | undefined;
  return literal?.type === 'StringLiteral' ? String(literal.value) : undefined;
}
