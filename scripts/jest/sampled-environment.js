import { relative, sep } from 'node:path';
import { root } from '../run.js';
import CleanEnvironment from './clean-environment.js';
import { isSampled } from './process-suites.js';
import { chooseShare } from './share.js';

/**
 * Runs only a share of the tests of a suite whose tests each run a whole scenario. The tests are
 * independent of each other: jest shuffles them.
 */
export default class SampledEnvironment extends CleanEnvironment {
  /** @param {ConstructorParameters<typeof CleanEnvironment>[0]} config @param {{ testPath: string }} context */
  constructor(config, context) {
    super(config, /** @type {ConstructorParameters<typeof CleanEnvironment>[1]} */ (context));
    this.suite = relative(root, context.testPath).split(sep).join('/');
  }

  /** @param {{ name: string }} event @param {{ rootDescribeBlock: Block }} state */
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'run_start' && isSampled(this.suite)) keepShare(rootDescribeBlock, this.suite);
  }
}

/**
 * Part of jest's tree of tests that is read here.
 * @typedef {{ type: 'test', name: string, parent: Block }} Test
 * @typedef {{ type: 'describeBlock', name: string, parent?: Block, children: (Block | Test)[] }} Block
 */

/** @param {Block} all @param {string} suite */
export function keepShare(all, suite) {
  const tests = testsOf(all);
  const kept = new Set(chooseShare(tests, (one) => `${suite} ${nameOf(one)}`));
  for (const one of tests) {
    const { parent } = one;
    if (!kept.has(one)) parent.children = parent.children.filter((child) => child !== one);
  }
}

/** @param {Block} block @returns {Test[]} */
function testsOf({ children }) {
  return children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));
}

/** @param {Test | Block} one @returns {string} */
function nameOf({ name, parent }) {
  return parent === undefined ? name : `${nameOf(parent)} ${name}`;
}
