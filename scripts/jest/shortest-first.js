import { statSync } from 'node:fs';
import imported from '@jest/test-sequencer';

// Its types describe CommonJS, but Node loads a module.
const Sequencer = /** @type {typeof imported.default} */ (/** @type {unknown} */ (imported));

/** Runs suites with few lines first: a mutant ends with the first failing test. */
export default class ShortestFirst extends Sequencer {
  /** @override @param {Parameters<InstanceType<typeof Sequencer>['sort']>[0]} tests */
  async sort(tests) {
    const size = (/** @type {{ path: string }} */ { path }) => statSync(path).size;
    return [...tests].sort((one, other) => size(one) - size(other));
  }
}
