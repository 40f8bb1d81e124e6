import { notOfUnit, shared } from './scripts/jest/shared.js';

// Everything that needs nothing but the packages of package.json. Suites with external tools are
// in test/e2e and have a configuration of their own.
export default {
  ...shared,
  displayName: 'unit',
  testPathIgnorePatterns: notOfUnit,
  collectCoverageFrom: ['src/**/*.ts', 'sandbox/**/*.ts', 'generate/**/*.ts', 'model/**/*.ts'],
  coverageProvider: 'v8',
};
