// An e2e suite that fails is run once more, alone, by `.ci/run`. Node alone, like the tally that imports this.

/** The report whose failed suites are run again. */
export const firstReport = 'e2e';
/** The report of the second run. */
export const againReport = 'e2e-again';
/** More flaky suites than this fail the run. */
export const mostFlaky = 2;
/** If more suites than this failed, a change broke them: a second run would only take time. */
const mostAgain = 6;

/**
 * Chooses the suites to run again.
 * @param {any} report jest's; an absent or interrupted report names no suite
 * @returns {{ again: string[], tooMany: number }} paths, and the number of failed suites if there are too many
 */
export function suitesToRunAgain(report) {
  const suites = report?.wasInterrupted === true ? [] : suitesOf(report);
  const failed = suites.filter(isFailed).map(({ name }) => name);
  return failed.length > mostAgain
    ? { again: [], tooMany: failed.length }
    : { again: failed, tooMany: 0 };
}

/**
 * Replaces each failed suite of the first report by its second run. A suite is flaky if its second run
 * passed as many tests as the first run had, passed and failed; a second run of fewer tests does not count.
 * @param {any} first @param {any} again
 * @returns {{ report: any, flaky: string[] }} flaky: paths
 */
export function withSecondRun(first, again) {
  if (again === undefined || again.wasInterrupted === true || first?.wasInterrupted === true)
    return { report: first, flaky: [] };
  const second = new Map(suitesOf(again).map((suite) => [suite.name, suite]));
  const failed = suitesOf(first).filter(isFailed);
  const flaky = failed.filter((suite) => passedAsMany(second.get(suite.name), suite));
  const counted = failed.flatMap((suite) => {
    const rerun = second.get(suite.name);
    return rerun !== undefined && (isFailed(rerun) || flaky.includes(suite)) ? [rerun] : [];
  });
  if (counted.length === 0) return { report: first, flaky: [] };
  return {
    report: replaceSuites(first, counted),
    flaky: flaky.map(({ name }) => name),
  };
}

/** @param {any} report @param {readonly any[]} reruns @returns {any} the report, with these in place of their first runs */
function replaceSuites(report, reruns) {
  const again = new Map(reruns.map((suite) => [suite.name, suite]));
  const testResults = suitesOf(report).map((suite) => again.get(suite.name) ?? suite);
  const count = (/** @type {string[]} */ ...wanted) =>
    testResults.reduce((sum, suite) => sum + countOf(suite, ...wanted), 0);
  const numFailedTests = count('failed');
  const numRuntimeErrorTestSuites = testResults.filter(
    (suite) => suite.status === 'failed' && countOf(suite, 'failed') === 0,
  ).length;
  return {
    ...report,
    testResults,
    numPassedTests: count('passed'),
    numFailedTests,
    numPendingTests: count('pending', 'skipped', 'disabled'),
    numTodoTests: count('todo'),
    numRuntimeErrorTestSuites,
    success: numFailedTests === 0 && numRuntimeErrorTestSuites === 0,
  };
}

/** @param {any} rerun @param {any} first */
function passedAsMany(rerun, first) {
  if (rerun === undefined || isFailed(rerun)) return false;
  const passed = countOf(rerun, 'passed');
  return passed > 0 && passed >= countOf(first, 'passed') + countOf(first, 'failed');
}

/** @param {any} suite */
function isFailed(suite) {
  return suite.status === 'failed' || countOf(suite, 'failed') > 0;
}

/** @param {any} suite @param {string[]} wanted statuses */
function countOf({ assertionResults = [] }, ...wanted) {
  return assertionResults.filter((/** @type {any} */ { status }) => wanted.includes(status)).length;
}

/** @param {any} report @returns {any[]} */
function suitesOf(report) {
  return Array.isArray(report?.testResults) ? report.testResults : [];
}
