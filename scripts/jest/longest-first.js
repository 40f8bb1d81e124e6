import { join } from 'node:path';
import imported from '@jest/test-sequencer';
import { root } from '../run.js';

/**
 * Suites that take long, roughly longest first, with CPU-bound ones spread out. A long suite that
 * starts late would run alone at the end. jest knows durations only from earlier runs.
 */
export const longest = [
  'test/e2e/killed/every-request.test.ts',
  'test/e2e/terraform/terraform-aws-deployments.test.ts',
  'test/e2e/terraform/terraform-aws-github.test.ts',
  'test/e2e/action/stages.test.ts',
  'test/e2e/by-hand/disturbed.test.ts',
  'test/e2e/terraform/terraform-deployments.test.ts',
  'test/e2e/terraform/terraform-aws-killed.test.ts',
  'test/e2e/terraform/terraform-init.test.ts',
  'test/e2e/action/cancelled.test.ts',
  'test/e2e/documents/walkthrough.test.ts',
  'test/e2e/many-stacks.test.ts',
  'test/e2e/gitlab-component/gitlab-component.test.ts',
  'test/e2e/demo-github.test.ts',
  'test/e2e/aws/permissions.test.ts',
  'test/e2e/gitlab-component/gitlab-component-approval.test.ts',
  'test/e2e/demo.test.ts',
  'test/e2e/demo-of-versions.test.ts',
  'test/e2e/demo-in-short.test.ts',
  'test/surface/printed/with-stack.test.ts',
  'test/aws/contracts.test.ts',
  'test/surface/output.test.ts',
  'test/surface/status.test.ts',
  'test/simulation/faults/distinguishable-faults.test.ts',
  'test/cells/cells.test.ts',
];

// Its types describe CommonJS, but Node loads a module.
const Sequencer = /** @type {typeof imported.default} */ (/** @type {unknown} */ (imported));

/** Keeps jest's own order, after the suites that are known to take long. */
export default class LongestFirst extends Sequencer {
  /** @override @param {Parameters<InstanceType<typeof Sequencer>['sort']>[0]} tests */
  async sort(tests) {
    const known = new Map(longest.map((name, rank) => [join(root, name), rank]));
    const rankOf = (/** @type {{ path: string }} */ { path }) => known.get(path) ?? longest.length;
    const usual = await super.sort(tests);
    return usual.sort((one, other) => rankOf(one) - rankOf(other));
  }
}
