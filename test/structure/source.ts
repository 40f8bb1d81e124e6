import { posix } from 'node:path';
import { type Module, parseSync } from '@swc/core';
import { filesBelow, read } from './tree.ts';

export interface Import {
  specifier: string;
  /** Path of an imported file of the project; undefined for a package or a part of Node. */
  path: string | undefined;
  /** Kind of the import. The compiler removes `type`; `lazy` is an `import()`. */
  kind: 'static' | 'lazy' | 'type';
}

export interface Source {
  path: string;
  /**
   * Folder of the file: in src or beside it, `adapters/aws`, `stages/record`; `root` for
   * src/main.ts.
   */
  folder: string;
  imports: Import[];
  module: Module;
}

export type SyntaxNode = { type: string } & Record<string, unknown>;

let sources: Source[] | undefined;

/** Reads all sources, which a suite parses once. */
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

/** Folders of the program, its sandbox, its generators and its models. */
const roots = ['src', 'sandbox', 'generate', 'model'];
/** Inner folders with their own import rules. */
const inner = /^src\/(adapters\/[a-z]+|stages\/record|report\/(?:dashboard|endpoint))\//;

export function folderOf(path: string): string {
  const innerFolder = inner.exec(path)?.[1];
  if (innerFolder !== undefined) return innerFolder;
  const [top = '', folder = '', rest] = path.split('/');
  if (top !== 'src') return top;
  return rest === undefined ? 'root' : folder;
}

/**
 * Returns `@scope/name` or `name`, without the path into the package; undefined for files of the
 * project and parts of Node.
 */
export function packageOf({ specifier, path }: Import): string | undefined {
  if (path !== undefined || specifier.startsWith('node:')) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Lists every node of the syntax tree in the order of the text. */
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
