import { shared } from './scripts/jest/shared.js';

// Suites that need nothing but the packages of package.json. Those of test/e2e need the bundle and other programs, and
// have a configuration of their own.
export default {
  ...shared,
  displayName: 'unit',
  // A whole run leaves out the suites that start processes as well: scripts/jest.js.
  testPathIgnorePatterns: [...shared.testPathIgnorePatterns, '<rootDir>/test/e2e/'],
  collectCoverageFrom: ['src/**/*.ts', 'sandbox/**/*.ts', 'generate/**/*.ts', 'model/**/*.ts'],
  coverageProvider: 'v8',
};
