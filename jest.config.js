import { notOfUnit, shared } from './scripts/jest/shared.js';

// Suites that need nothing but the packages of package.json, and no compiled sources. The others start processes
// and have a configuration of their own.
export default {
  ...shared,
  displayName: 'unit',
  testPathIgnorePatterns: notOfUnit,
  collectCoverageFrom: ['src/**/*.ts', 'sandbox/**/*.ts', 'generate/**/*.ts', 'model/**/*.ts'],
  coverageProvider: 'v8',
};
