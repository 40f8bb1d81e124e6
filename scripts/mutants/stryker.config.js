/** Each mutant is played by the tests that reach its line, until one fails. scripts/mutants.js chooses files and suites. */
export default {
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'scripts/mutants/jest.config.js', enableFindRelatedTests: false },
  // The wording of a text is compared whole by many tests, and decides nothing.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  // Constants of modules: each needs a run of every suite.
  ignoreStatic: true,
  concurrency: 2,
  dryRunTimeoutMinutes: 120,
  // TypeScript 7 has no programming interface that could rewrite it.
  tsconfigFile: 'none',
  ignorePatterns: ['.ci', 'build', 'dist', 'coverage'],
  tempDirName: '.ci/mutants',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false },
};
