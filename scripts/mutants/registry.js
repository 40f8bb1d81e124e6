/**
 * What a test file has declared, in the order of its text; enough of jest's way to run our own suites.
 * @typedef {() => unknown} Body
 * @typedef {{ name: string, parent?: Group, before: Body[], after: Body[], beforeEach: Body[], afterEach: Body[], members: Array<Group | Case> }} Group
 * @typedef {{ name: string, parent: Group, run: Body }} Case
 */

/** @returns {Group} */
export function newGroup(/** @type {string} */ name, /** @type {Group | undefined} */ parent) {
  const lists = { before: [], after: [], beforeEach: [], afterEach: [], members: [] };
  return { name, ...lists, ...(parent === undefined ? {} : { parent }) };
}

export const collecting = {
  file: '',
  group: newGroup('', undefined),
  snapshot: { test: '', count: 0 },
};

/** Runs a group; ends with the first test that fails. @param {Group} group @returns {Promise<void>} */
export async function runGroup(group) {
  for (const body of group.before) await body();
  for (const member of group.members) {
    if ('members' in member) await runGroup(member);
    else await runCase(member);
  }
  for (const body of group.after) await body();
}

/**
 * One test by its whole name, as it would run if the others were skipped; nothing, if there is none.
 * @param {Group} group @param {string} name
 */
export async function runOnly(group, name) {
  const test = casesIn(group).find((one) => nameOf(one) === name);
  if (test === undefined) return;
  const chain = chainOf(test.parent);
  for (const { before } of chain) for (const body of before) await body();
  await runCase(test);
  for (const { after } of chain.toReversed()) for (const body of after) await body();
}

/** @param {Group} group @returns {Case[]} */
function casesIn({ members }) {
  return members.flatMap((member) => ('members' in member ? casesIn(member) : [member]));
}

/** @param {Case} test */
function nameOf(test) {
  return [...chainOf(test.parent).map((group) => group.name), test.name].filter(Boolean).join(' ');
}

/** @param {Case} test */
async function runCase(test) {
  const chain = chainOf(test.parent);
  const name = nameOf(test);
  collecting.snapshot = { test: name, count: 0 };
  try {
    for (const group of chain) for (const body of group.beforeEach) await body();
    await test.run();
    for (const group of chain.toReversed()) for (const body of group.afterEach) await body();
  } catch (error) {
    throw new TestFailed(name, error);
  }
}

export class TestFailed extends Error {
  constructor(/** @type {string} */ name, /** @type {unknown} */ cause) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.test = name;
  }
}

/** @param {Group} group @returns {Group[]} */
function chainOf(group) {
  return group.parent === undefined ? [group] : [...chainOf(group.parent), group];
}
