/**
 * Tests each mutant with the tests that reach its line, until one fails. scripts/mutants.js chooses
 * files and suites.
 */
export default {
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'scripts/mutants/jest.config.js', enableFindRelatedTests: false },
  // Many tests compare whole texts, and texts decide nothing.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  // Constants of modules would need a run of every suite.
  ignoreStatic: true,
  concurrency: 2,
  dryRunTimeoutMinutes: 120,
  // TypeScript 7 has no API to rewrite it.
  tsconfigFile: 'none',
  ignorePatterns: ['.ci', 'build', 'dist', 'coverage'],
  tempDirName: '.ci/mutants',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false },
};
