import unit from '../../jest.config.js';

/**
 * Suites that scripts/mutants.js has chosen. The mutation tool's own choice holds for its first run
 * only.
 */
export default {
  ...unit,
  rootDir: '../..',
  // The runner of the mutants extends an environment that it can require by its name.
  testEnvironment: 'node',
  testMatch: (process.env['SUITES_OF_MUTANTS'] ?? '').split(',').map((one) => `<rootDir>/${one}`),
  testSequencer: '<rootDir>/scripts/jest/shortest-first.js',
  reporters: ['default'],
};
