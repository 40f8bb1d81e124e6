import { createRequire } from 'node:module';
import { format } from 'node:util';
import { collecting, newGroup } from './registry.js';
import { matchSnapshot } from './snapshot.js';

// Jest's own matchers: a test must not pass here that fails there.
const near = createRequire(createRequire(import.meta.url).resolve('@jest/globals'));
export const { expect } = near('expect');
expect.extend({ toMatchSnapshot: matchSnapshot });

/** @typedef {(...args: any[]) => unknown} Body */

function declareGroup(/** @type {string} */ name, /** @type {Body} */ body) {
  const parent = collecting.group;
  const group = newGroup(name, parent);
  parent.members.push(group);
  collecting.group = group;
  body();
  collecting.group = parent;
}

function declareTest(/** @type {string} */ name, /** @type {Body} */ run) {
  collecting.group.members.push({ name, parent: collecting.group, run });
}

export const describe = Object.assign(declareGroup, { each: each(declareGroup) });
export const test = Object.assign(declareTest, { each: each(declareTest) });
export const it = test;

export const beforeAll = (/** @type {Body} */ body) => void collecting.group.before.push(body);
export const afterAll = (/** @type {Body} */ body) => void collecting.group.after.push(body);
export const beforeEach = (/** @type {Body} */ body) => void collecting.group.beforeEach.push(body);
export const afterEach = (/** @type {Body} */ body) => void collecting.group.afterEach.push(body);

function each(/** @type {(name: string, body: Body) => void} */ declare) {
  return (/** @type {readonly any[]} */ rows) =>
    (/** @type {string} */ name, /** @type {Body} */ body) => {
      rows.forEach((row, index) => {
        const args = Array.isArray(row) ? row : [row];
        declare(nameOf(name, args, index), () => body(...args));
      });
    };
}

/** `%s` and its kin, `%#` and `$key`, as jest writes them into names. */
function nameOf(
  /** @type {string} */ name,
  /** @type {any[]} */ args,
  /** @type {number} */ index,
) {
  const [first] = args;
  const keyed =
    args.length === 1 && typeof first === 'object' && first !== null
      ? name.replace(/\$(\w+)/g, (text, key) => (key in first ? String(first[key]) : text))
      : name;
  const numbered = keyed.replaceAll('%#', String(index));
  const places = numbered.match(/%[sdifjo]/g)?.length ?? 0;
  return format(numbered, ...args.slice(0, places));
}
