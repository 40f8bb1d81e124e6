import { chooseShare } from './share.js';

/**
 * Suites and folders outside test/e2e that start many processes: hosted-runner, hosts of the
 * sandbox, scripts of hosts. They run with the e2e suites, several at once, because their processes
 * wait for each other.
 */
const processSuites = [
  'test/aws/access/check-document.test.ts',
  'test/aws/contracts.test.ts',
  'test/aws/scripts/',
  'test/command/',
  'test/errors/aws-lines.test.ts',
  'test/errors/runbook-lines.test.ts',
  'test/sandbox/aws/invocation-list.test.ts',
  'test/sandbox/exports-file.test.ts',
  'test/sandbox/hosts/',
  'test/sandbox/manager/',
  'test/sandbox/strangers.test.ts',
  'test/scripts/publish/',
  'test/surface/aws-environment.test.ts',
  'test/surface/bad-input.test.ts',
  'test/surface/event-file.test.ts',
  'test/surface/events.test.ts',
  'test/surface/output.test.ts',
  'test/surface/printed/',
  'test/surface/quiet.test.ts',
  'test/surface/status.test.ts',
  'test/surface/terminal.test.ts',
  'test/surface/tokens.test.ts',
  'test/surface/unsafe-environment.test.ts',
  'test/surface/wiring/secrets-leaving.test.ts',
  'test/terraform/module/',
  'test/transport/https.test.ts',
  'test/workflow/package.test.ts',
];

/** Paths relative to the project; a folder ends with a slash. */
export const e2eSuites = ['test/e2e/', ...processSuites];

/** @param {string} file from the project's folder */
export function isE2e(file) {
  return isAmong(e2eSuites, file);
}

/**
 * Suites whose tests each run a whole scenario with common parts: a sample runs a share of their
 * tests.
 */
export const sampledSuites = [
  'test/e2e/action/stages.test.ts',
  'test/e2e/aws/aws-credentials.test.ts',
  'test/e2e/aws/aws-emulator-stages.test.ts',
  'test/e2e/by-hand/disturbed.test.ts',
  'test/e2e/demo-of-versions.test.ts',
  'test/e2e/gitlab-component/',
  'test/e2e/live-picture.test.ts',
  'test/e2e/terraform/terraform-deployments.test.ts',
  'test/e2e/terraform/terraform-killed.test.ts',
  'test/surface/printed/with-stack.test.ts',
  'test/surface/printed/without-stack.test.ts',
];

/**
 * Suites with one long scenario each on a common subject: a sample runs a share of the suites of a
 * line.
 */
export const alternatives = [
  ['test/e2e/demo.test.ts', 'test/e2e/demo-github.test.ts', 'test/e2e/demo-of-versions.test.ts'],
  [
    'test/e2e/terraform/terraform-aws-deployments.test.ts',
    'test/e2e/terraform/terraform-aws-github.test.ts',
    'test/e2e/terraform/terraform-aws-killed.test.ts',
  ],
  ['test/e2e/terraform/terraform-init.test.ts', 'test/e2e/terraform/terraform-folders.test.ts'],
];

/** @returns {string[]} the alternatives that the sample omits; none without a sample */
export function leftOutOfSample() {
  return alternatives.flatMap((suites) => {
    const kept = chooseShare(suites, (one) => one);
    return suites.filter((one) => !kept.includes(one));
  });
}

/** @param {string} file from the project's folder */
export function isSampled(file) {
  return isAmong(sampledSuites, file);
}

/** @param {readonly string[]} suites @param {string} file */
function isAmong(suites, file) {
  return suites.some((one) => (one.endsWith('/') ? file.startsWith(one) : file === one));
}
