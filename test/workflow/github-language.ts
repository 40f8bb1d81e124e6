import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { parse } from 'yaml';
import { read } from '../structure/tree.ts';
import { root } from '../support/program.ts';

/** Loads GitHub's own packages. The published ones do not load on Node 20, but bundled ones do. */
export async function loadGitHubLanguage(): Promise<GitHubLanguage> {
  const folder = mkdtempSync(join(tmpdir(), 'github-language-'));
  const outfile = join(folder, 'language.mjs');
  await build({
    stdin: {
      contents: `export { validate } from '@actions/languageservice';
        export { data, Evaluator, Lexer, Parser } from '@actions/expressions';`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'silent',
  });
  try {
    return (await import(pathToFileURL(outfile).href)) as GitHubLanguage;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface GitHubLanguage {
  validate(document: unknown, config?: unknown): Promise<Diagnostic[]>;
  readonly data: Record<
    'Dictionary' | 'StringData' | 'BooleanData',
    new (
      ...parts: never[]
    ) => unknown
  >;
  readonly Lexer: new (text: string) => { lex(): { tokens: unknown[] } };
  readonly Parser: new (
    tokens: unknown[],
    contexts: string[],
    functions: unknown[],
  ) => { parse(): unknown };
  readonly Evaluator: new (
    tree: unknown,
    context: unknown,
    functions: Map<string, unknown>,
  ) => {
    evaluate(): { coerceString(): string };
  };
}

/** Actions of other owners are not resolved, because the tests need no network. */
const ofOthers = /^Unable to resolve action `(?!OWNER)/;

interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

/**
 * Lists the language service's findings for a file, one line each. It resolves calls of the
 * project's own workflow and action.
 */
export async function diagnose(
  language: GitHubLanguage,
  path: string,
  text = read(path),
): Promise<string[]> {
  // The language service caches parsed files by address alone.
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const document = {
    uri: `file:///${digest}/${path}`,
    languageId: 'yaml',
    version: 1,
    ...positions(text),
  };
  const found = await language.validate(document, {
    fileProvider: {
      async getFileContent(reference: { path: string }) {
        // Folder into which the workflow checks itself out.
        const path = reference.path.replace(/^(?:\.\/)?\.hosted-runner-deploy\//, '');
        return { name: basename(path), content: read(path) };
      },
    },
    actionsMetadataProvider: {
      async fetchActionMetadata({ owner }: { owner: string }) {
        return owner === 'OWNER' ? parse(read('action.yml')) : undefined;
      },
    },
  });
  return found
    .filter(({ message }) => !ofOthers.test(message))
    .map(
      ({ message, range: { start } }) =>
        `${basename(dirname(path))}/${basename(path)}:${start.line + 1}: ${message}`,
    );
}

/** Implements the parts of a text document that the language service needs. */
function positions(text: string) {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offsetAt = ({ line, character }: { line: number; character: number }) =>
    Math.min((starts[line] ?? text.length) + character, text.length);
  return {
    lineCount: starts.length,
    offsetAt,
    positionAt(offset: number) {
      const line = starts.findLastIndex((start) => start <= offset);
      return { line, character: offset - (starts[line] ?? 0) };
    },
    getText(range?: {
      start: Parameters<typeof offsetAt>[0];
      end: Parameters<typeof offsetAt>[0];
    }) {
      return range === undefined ? text : text.slice(offsetAt(range.start), offsetAt(range.end));
    },
  };
}
