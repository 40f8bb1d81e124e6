import { notOfUnit, shared } from './scripts/jest/shared.js';

// Suites that need only the packages of package.json, without compiled sources. All other suites start
// processes and have a separate configuration.
export default {
  ...shared,
  displayName: 'unit',
  testPathIgnorePatterns: notOfUnit,
  collectCoverageFrom: ['src/**/*.ts', 'sandbox/**/*.ts', 'generate/**/*.ts', 'model/**/*.ts'],
  coverageProvider: 'v8',
};
