import { parseSync } from '@swc/core';

/**
 * @typedef {{ texts: string[], titles: string[], names: string[] }} Parts
 *   String literals with a space, titles of tests, names that a file declares.
 */

/** @param {string} source TypeScript or JavaScript @returns {Parts} */
export function partsOf(source) {
  const parts = { texts: [], titles: [], names: [] };
  const program = parseSync(source.replace(/^#!/, '//'), {
    syntax: 'typescript',
    target: 'es2022',
  });
  visit(program, parts);
  return parts;
}

/** @typedef {{ type: string } & Record<string, any>} SyntaxNode */

/** @param {unknown} value @param {Parts} parts */
function visit(value, parts) {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) visit(one, parts);
    return;
  }
  const node = /** @type {SyntaxNode} */ (value);
  const name = declaredName(node);
  if (name !== undefined) parts.names.push(name);
  const title = titleOf(node);
  if (title !== undefined) parts.titles.push(title);
  const text = title === undefined ? textOf(node) : undefined;
  if (text !== undefined && /\S \S/.test(text)) parts.texts.push(withoutMarks(text));
  for (const child of Object.values(node)) visit(child, parts);
}

/** @param {SyntaxNode} node @returns {string | undefined} */
function textOf({ type, value, quasis }) {
  if (type === 'StringLiteral') return value;
  if (type === 'TemplateLiteral' && quasis !== undefined)
    return quasis.map((/** @type {SyntaxNode} */ { cooked, raw }) => cooked ?? raw).join(mark);
  return undefined;
}

/** @param {SyntaxNode} node @returns {string | undefined} */
function titleOf(node) {
  if (node.type !== 'CallExpression') return undefined;
  if (!/^(?:test|it|describe)$/.test(calleeOf(node['callee']))) return undefined;
  const first = node['arguments'][0]?.expression;
  return first === undefined ? undefined : textOf(first);
}

/** `test`, also of `test.each(rows)(…)` and `test.skip(…)`. @param {SyntaxNode} node @returns {string} */
function calleeOf(node) {
  if (node.type === 'Identifier') return node['value'];
  if (node.type === 'MemberExpression') return calleeOf(node['object']);
  if (node.type === 'CallExpression' || node.type === 'TaggedTemplateExpression')
    return calleeOf(node['callee'] ?? node['tag']);
  return '';
}

const declarations = new Map([
  ['FunctionDeclaration', 'identifier'],
  ['ClassDeclaration', 'identifier'],
  ['TsTypeAliasDeclaration', 'id'],
  ['TsInterfaceDeclaration', 'id'],
  ['VariableDeclarator', 'id'],
  ['Parameter', 'pat'],
  ['TsPropertySignature', 'key'],
  ['TsMethodSignature', 'key'],
]);

/** @param {SyntaxNode} node @returns {string | undefined} */
function declaredName(node) {
  const key = declarations.get(node.type);
  return key === undefined ? undefined : node[key]?.value;
}

/** Comment blocks of a file, each as one text. @param {string} source @returns {{ text: string, isDoc: boolean }[]} */
export function commentsIn(source) {
  /** @type {{ text: string, isDoc: boolean }[]} */
  const comments = [];
  let previous = -2;
  for (const [index, line] of source.split('\n').entries()) {
    const found =
      /^\s*(\/\*\*|\*(?=\s)|\/\/)\s?(.*?)(?:\s*\*\/)?\s*$/.exec(line) ??
      /[;,{)] (\/\/) (.*)$/.exec(line);
    if (found === null) continue;
    const [, begin, text = ''] = found;
    const last = comments.at(-1);
    if (last !== undefined && previous === index - 1 && begin !== '/**') last.text += ` ${text}`;
    else comments.push({ text, isDoc: begin === '/**' });
    previous = index;
  }
  return comments.map(({ text, isDoc }) => ({ isDoc, text: withoutMarks(text.trim()) }));
}

/** Stands for a name, a flag or a value: one word, which no rule reads. */
const mark = '\u2039code\u203a';

/** @param {string} text @returns {string} */
export function withoutMarks(text) {
  return text
    .replace(/(`+)[^`]*?\1/g, mark)
    .replace(/@param\s+(?:\{.*?\}\s+)?[\w.]+/g, mark)
    .replace(/\{?@\w+\s(?:\{[^}]*\})?/g, mark)
    .replace(/(?<![\w-])--[\w-]+/g, mark)
    .replace(/[\w./-]*(?:[a-z][A-Z]|_|[\w-]\/[\w-])[\w./-]*/g, mark);
}

/** @param {string} name `readLockState` @returns {string} `read lock state` */
export function wordsOfName(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[-_.]/g, ' ')
    .toLowerCase();
}
