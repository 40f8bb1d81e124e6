import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Expression, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Checker, type Type } from 'typescript/unstable/sync';
import { root } from '../tree.ts';

interface Floating {
  readonly file: string;
  readonly text: string;
  /** Whether the statement handles the promise's rejection. */
  readonly isHandled: boolean;
}

/** Only file that may leave a promise without a handler. */
const mechanism = 'src/domain/background.ts';

/**
 * Files of the program with promises that have a handler but are not awaited, with their number and
 * the reason.
 */
const unwaited: Readonly<Record<string, readonly [number, string]>> = {
  'src/adapters/aws/aws-client.ts': [1, 'a client that was opened is closed; nothing follows'],
  'src/adapters/aws/proxy-handler.ts': [1, 'an agent is closed; nothing follows'],
  'src/adapters/command/command-process.ts': [2, 'a timer acts, or is over first'],
  'src/adapters/terraform/terraform-process.ts': [1, 'a timer acts, or is over first'],
  'src/adapters/terraform/terraform-infrastructure.ts': [
    1,
    'a failed start is forgotten; its caller awaits it',
  ],
  'src/adapters/terraform/terraform-read.ts': [1, 'a timer acts, or is over first'],
  'src/adapters/transport/attempt.ts': [1, 'a timer ends a request, or is over first'],
  'src/adapters/transport/proxy-tunnels.ts': [1, 'an agent is closed; nothing follows'],
  'src/adapters/transport/slow-response-notice.ts': [
    2,
    'a timer reports the silence, or is over first',
  ],
  'src/app/compose/server-probe.ts': [1, 'the response is awaited later'],
};

/**
 * Lists statements with a promise that is neither awaited, returned nor stored, including `void`.
 */
function findFloating(configuration: string, folders: RegExp): Floating[] {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProject: configuration });
    const project = snapshot.getProject(configuration);
    if (project === undefined) throw new Error(`there is no project ${configuration}`);
    const { program, checker } = project;
    return program
      .getSourceFileNames()
      .filter((name) => folders.test(name) && !name.includes('/node_modules/'))
      .flatMap((name) => {
        const source = program.getSourceFile(name);
        return source === undefined ? [] : floatingIn(source, checker);
      });
  } finally {
    api.close();
  }
}

function floatingIn(source: SourceFile, checker: Checker): Floating[] {
  const statements = statementsOf(source);
  if (statements.length === 0) return [];
  const types = checker.getTypeAtLocation(statements);
  return statements.flatMap((expression, index) =>
    isPromise(types[index], checker)
      ? [
          {
            file: source.fileName.slice(root.length + 1),
            text: expression.getText(source).replace(/\s+/g, ' '),
            isHandled: isHandled(expression),
          },
        ]
      : [],
  );
}

/**
 * Lists expressions whose value is not used. An assignment keeps the promise for a later `await`.
 */
function statementsOf(source: SourceFile): Expression[] {
  const found: Expression[] = [];
  const visit = (node: Node, isCaught: boolean): void => {
    const { expression } = node as Node & { readonly expression?: Expression };
    if (expression !== undefined) {
      const isVoid = expression.kind === SyntaxKind.VoidExpression;
      if (isStatement(node) && !isVoid && !isAssignment(expression)) found.push(expression);
      // `try { return act(); }` ends before its promise: no error is caught, and `finally` runs
      // early.
      const isAwaited = expression.kind === SyntaxKind.AwaitExpression;
      if (node.kind === SyntaxKind.ReturnStatement && isCaught && !isAwaited)
        found.push(expression);
    }
    if (node.kind === SyntaxKind.TryStatement) visitTry(node as Tried, isCaught);
    else node.forEachChild((child) => visit(child, isCaught && !functions.has(node.kind)));
  };
  const visitTry = ({ tryBlock, catchClause, finallyBlock }: Tried, isCaught: boolean): void => {
    visit(tryBlock, true);
    if (catchClause !== undefined) visit(catchClause, isCaught || finallyBlock !== undefined);
    if (finallyBlock !== undefined) visit(finallyBlock, isCaught);
  };
  visit(source, false);
  return found;
}

interface Tried extends Node {
  readonly tryBlock: Node;
  readonly catchClause?: Node;
  readonly finallyBlock?: Node;
}

const functions: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.MethodDeclaration,
]);

function isStatement({ kind }: Node): boolean {
  return kind === SyntaxKind.ExpressionStatement || kind === SyntaxKind.VoidExpression;
}

function isAssignment(expression: Expression): boolean {
  const { operatorToken } = expression as { readonly operatorToken?: Node };
  const { kind } = operatorToken ?? {};
  return (
    kind !== undefined && kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment
  );
}

function isPromise(type: Type | undefined, checker: Checker): boolean {
  if (type === undefined) return false;
  const parts = type.isUnionType() ? type.getTypes() : [type];
  return parts.some((part) => checker.getPropertyOfType(part, 'then') !== undefined);
}

/** Decides whether an expression is `….catch(handler)` or `….then(act, handler)`. */
function isHandled(expression: Expression): boolean {
  const call = expression as {
    readonly expression?: { readonly name?: { readonly text?: string } };
    readonly arguments?: readonly unknown[];
  };
  const [name, count] = [call.expression?.name?.text, call.arguments?.length ?? 0];
  return (name === 'catch' && count === 1) || (name === 'then' && count === 2);
}

describe('floating promises', () => {
  let floating: readonly Floating[];
  beforeAll(() => {
    floating = findFloating(join(root, 'tsconfig.json'), /\/(?:src|sandbox)\//);
  }, 60_000);

  test('do not occur: each is awaited, returned, kept or handled, and `void` does not count', () => {
    const found = floating.filter(({ isHandled, file }) => !isHandled && file !== mechanism);
    expect(found.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  test('each program file that handles a promise without waiting is listed', () => {
    const handled = floating.filter(({ isHandled, file }) => isHandled && file.startsWith('src/'));
    const counts: Record<string, number> = {};
    for (const { file } of handled) counts[file] = (counts[file] ?? 0) + 1;
    expect(counts).toEqual(
      Object.fromEntries(Object.entries(unwaited).map(([file, [count]]) => [file, count])),
    );
  });

  test('the check finds a promise of another file, of a method, of a condition, and after `void`', () => {
    const found = findFloating(
      join(root, 'test/fixtures/floating/tsconfig.json'),
      /\/fixtures\/floating\//,
    );
    expect(found.map(({ text, isHandled }) => [text, isHandled])).toEqual([
      ['release()', false],
      ['release()', false],
      ['lock.release()', false],
      ['isHeld && lock.release()', false],
      ['lock.after?.()', false],
      ['release().finally(() => {})', false],
      ['release().catch(() => {})', true],
      ['release()', false],
      ['lock.release()', false],
    ]);
  }, 60_000);
});
