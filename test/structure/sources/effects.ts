import { describe, expect, test } from '@jest/globals';
import { nodesOf, readSources, type Source, type SyntaxNode } from '../source.ts';

const sources = readSources();

const entry = ['src/main.ts', 'src/app/process.ts'];

/** Files that touch the outside world. All other code receives it as a parameter. */
const places: Array<{ what: string; reads: RegExp; files: readonly string[] }> = [
  {
    what: 'the process',
    reads: /^process\.(env|argv|exit|exitCode|cwd|chdir|on|once|off)$/,
    files: entry,
  },
  { what: 'standard streams', reads: /^(console\..*|process\.std(in|out|err))$/, files: entry },
  {
    what: 'the clock',
    reads: /^(Date\.now|new Date\(\)|performance\.now|process\.(hrtime|uptime))$/,
    files: ['src/adapters/system/system-clock.ts', 'sandbox/surroundings/clock.ts'],
  },
  {
    what: 'chance',
    reads: /^(Math\.random|crypto\.(randomUUID|getRandomValues))$/,
    files: ['src/adapters/system/system-random.ts', 'sandbox/surroundings/random.ts'],
  },
];

/** Folders that wait through their given clock, for tests in virtual time. */
const timeless = new Set(['domain', 'ports', 'errors', 'stages/record', 'stages', 'operator']);
const timers = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch']);

/**
 * Files that sleep without `pollUntil`, because they wait for no fact: a limit, an error's pause, a
 * screen.
 */
const sleepers = new Set([
  'src/ports/poll.ts',
  'src/adapters/transport/pacer.ts',
  'src/adapters/transport/transport.ts',
  'src/adapters/transport/attempt.ts',
  'src/adapters/transport/slow-response-notice.ts',
  'src/adapters/aws/retry.ts',
  'src/adapters/terraform/terraform-process.ts',
  'src/adapters/terraform/terraform-read.ts',
  'src/adapters/command/command-process.ts',
  'src/stages/context/timeout.ts',
  'src/app/compose/server-probe.ts',
  'src/app/session-opening.ts',
  'src/report/endpoint/verdict-cache.ts',
  'src/report/dashboard/stack-watch.ts',
  'src/app/commands/status-command.ts',
]);

/** Decides whether a call is `….sleep(…)`. */
function isSleep(callee: unknown): boolean {
  const { type, property } = (callee ?? {}) as { type?: string; property?: { value?: string } };
  return type === 'MemberExpression' && property?.value === 'sleep';
}

describe('effects', () => {
  test.each(places)('$what: used in $files only', ({ reads, files }) => {
    const offences = sources
      .filter(({ path }) => !files.includes(path))
      .flatMap(({ path, module }) =>
        [...worldReads(module)]
          .filter((name) => reads.test(name))
          .map((name) => `${path}: ${name}`),
      );
    expect(offences).toEqual([]);
  });

  test('JSON of other systems is read in one place, which limits its depth', () => {
    const readers = new Set(['src/domain/text/json.ts', 'src/recording/answer-knowledge.ts']);
    const offences = sources
      .filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/verify/'))
      .filter(({ path }) => !readers.has(path))
      .filter(({ module }) => [...worldReads(module)].includes('JSON.parse'))
      .map(({ path }) => path);
    expect(offences).toEqual([]);
  });

  test('no file imports the process', () => {
    expect(
      sources
        .filter(({ path, imports }) => {
          return (
            !entry.includes(path) &&
            imports.some(({ specifier }) => /^(node:)?process$/.test(specifier))
          );
        })
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test('decisions wait through the clock port', () => {
    const offences = sources
      .filter(({ folder }) => timeless.has(folder))
      .flatMap(({ path, module }) =>
        nodesOf(module)
          .filter((node) => node.type === 'CallExpression' && timers.has(nameOf(node['callee'])))
          .map((node) => `${path}: ${nameOf(node['callee'])}`),
      );
    expect(offences).toEqual([]);
  });

  test('each wait repeats its check on the schedule', () => {
    const offences = sources
      .filter(({ path }) => !sleepers.has(path) && !path.startsWith('sandbox/'))
      .flatMap(({ path, module }) =>
        nodesOf(module)
          .filter((node) => node.type === 'CallExpression' && isSleep(node['callee']))
          .map(() => path),
      );
    expect(offences).toEqual([]);
  });

  test('importing a file has no effect', () => {
    const offences = sources
      .filter(({ path }) => path !== 'src/main.ts')
      .filter(({ module }) =>
        module.body.some(({ type }) => /^(Expression|If|For|While|Try)/.test(type)),
      )
      .map(({ path }) => path);
    expect(offences).toEqual([]);
  });

  test('no module keeps state', () => {
    expect(sources.flatMap(moduleState)).toEqual([]);
  });
});

/** Lists expressions such as `process.env`, `Date.now`, `new Date()` and `console.log`. */
function* worldReads(module: Source['module']): Generator<string> {
  for (const node of nodesOf(module)) {
    if (node.type === 'MemberExpression') {
      const property = node['property'] as SyntaxNode;
      const key = property.type === 'Computed' ? property['expression'] : property;
      yield `${nameOf(node['object'])}.${nameOf(key)}`;
    }
    const argumentsGiven = node['arguments'] as unknown[] | undefined;
    if (node.type === 'NewExpression' && !argumentsGiven?.length) {
      yield `new ${nameOf(node['callee'])}()`;
    }
    if (node.type === 'VariableDeclarator' && nameOf(node['init']) === 'process') {
      yield 'process.env';
    }
  }
}

function nameOf(node: unknown): string {
  const { type, value } = (node ?? {}) as { type?: string; value?: unknown };
  return type === 'Identifier' || type === 'StringLiteral' ? String(value) : '';
}

/** Lists state of a module: a `let`, or an empty collection. */
function moduleState({ path, module }: Source): string[] {
  const found: string[] = [];
  for (const item of module.body) {
    const statement = item.type === 'ExportDeclaration' ? item.declaration : item;
    if (statement.type !== 'VariableDeclaration') continue;
    if (statement.kind !== 'const') found.push(`${path}: a module-level ${statement.kind}`);
    for (const { init } of statement.declarations) {
      if (isEmptyCollection(init)) found.push(`${path}: an empty collection at module level`);
    }
  }
  return found;
}

function isEmptyCollection(init: unknown): boolean {
  const node = (init ?? {}) as SyntaxNode & { elements?: unknown[]; properties?: unknown[] };
  if (node.type === 'ArrayExpression') return node.elements?.length === 0;
  if (node.type === 'ObjectExpression') return node.properties?.length === 0;
  if (node.type !== 'NewExpression') return false;
  const isCollection = /^(Weak)?(Map|Set)$/.test(nameOf(node['callee']));
  return isCollection && !(node['arguments'] as unknown[] | undefined)?.length;
}
