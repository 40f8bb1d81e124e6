import unit from '../../jest.config.js';

/** The unit suites, without those that repeat whole deployments at each of their calls. */
export default {
  ...unit,
  rootDir: '../..',
  // The runner of the mutants extends an environment that it can require by its name.
  testEnvironment: 'node',
  testPathIgnorePatterns: [
    ...unit.testPathIgnorePatterns,
    '<rootDir>/test/simulation/',
    '<rootDir>/test/incidents/',
  ],
  testSequencer: '<rootDir>/scripts/jest/shortest-first.js',
  reporters: ['default'],
};
