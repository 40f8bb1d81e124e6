import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Expression, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Checker, type Type } from 'typescript/unstable/sync';
import { root } from '../tree.ts';

interface Floating {
  readonly file: string;
  readonly text: string;
  /** Whether the statement gives the promise a handler for its rejection. */
  readonly isHandled: boolean;
}

/** The one place that lets a promise go without a handler. */
const mechanism = 'src/domain/background.ts';

/** Files of the program in which promises have a handler and are not waited for: how many, and why. */
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

/** Statements of a promise that is neither awaited, returned nor kept, `void` included. */
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

/** What is evaluated for its effect alone. An assignment keeps the promise for a later `await`. */
function statementsOf(source: SourceFile): Expression[] {
  const found: Expression[] = [];
  const visit = (node: Node, isCaught: boolean): void => {
    const { expression } = node as Node & { readonly expression?: Expression };
    if (expression !== undefined) {
      const isVoid = expression.kind === SyntaxKind.VoidExpression;
      if (isStatement(node) && !isVoid && !isAssignment(expression)) found.push(expression);
      // `try { return act(); }` ends before the promise does: nothing is caught, and `finally` is early.
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

/** `….catch(handler)` or `….then(act, handler)`. */
function isHandled(expression: Expression): boolean {
  const call = expression as {
    readonly expression?: { readonly name?: { readonly text?: string } };
    readonly arguments?: readonly unknown[];
  };
  const [name, count] = [call.expression?.name?.text, call.arguments?.length ?? 0];
  return (name === 'catch' && count === 1) || (name === 'then' && count === 2);
}

describe('no promise floats', () => {
  let floating: readonly Floating[];
  beforeAll(() => {
    floating = findFloating(join(root, 'tsconfig.json'), /\/(?:src|sandbox)\//);
  }, 60_000);

  test('awaits, returns, keeps or handles each of them, and `void` is none of these', () => {
    const found = floating.filter(({ isHandled, file }) => !isHandled && file !== mechanism);
    expect(found.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  test('names each file of the program that handles one and does not wait for it', () => {
    const handled = floating.filter(({ isHandled, file }) => isHandled && file.startsWith('src/'));
    const counts: Record<string, number> = {};
    for (const { file } of handled) counts[file] = (counts[file] ?? 0) + 1;
    expect(counts).toEqual(
      Object.fromEntries(Object.entries(unwaited).map(([file, [count]]) => [file, count])),
    );
  });

  test('notices a promise of another file, of a method, of a condition, after `void` and returned in a `try`', () => {
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
