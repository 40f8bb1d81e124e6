/** Each mutant is played by the unit tests that reach its line, until one fails. */
export default {
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'scripts/mutants/jest.config.js' },
  mutate: ['src/**/*.ts'],
  // The wording of a text is compared whole by many tests, and decides nothing.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  // Constants of modules: each needs a run of every test.
  ignoreStatic: true,
  concurrency: 2,
  dryRunTimeoutMinutes: 120,
  // TypeScript 7 has no programming interface that could rewrite it.
  tsconfigFile: 'none',
  ignorePatterns: ['.ci', 'build', 'dist', 'coverage'],
  tempDirName: '.ci/mutants',
  reporters: ['clear-text', 'progress-append-only', 'html'],
  clearTextReporter: { allowColor: false, logTests: false },
  htmlReporter: { fileName: '.ci/reports/mutants.html' },
};
