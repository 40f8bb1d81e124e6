import { e2eSuites } from './scripts/jest/process-suites.js';
import { oneIn } from './scripts/jest/share.js';
import { shared } from './scripts/jest/shared.js';

// Suites that start processes from the committed bundle.
export default {
  ...shared,
  displayName: 'e2e',
  globalSetup: '<rootDir>/scripts/jest/before-e2e.js',
  testEnvironment: '<rootDir>/scripts/jest/sampled-environment.js',
  testMatch: e2eSuites.map((one) => `<rootDir>/${one.endsWith('/') ? `${one}**/*.test.ts` : one}`),
  // The limit only ends a hang: no test measures speed, and machines differ. One test may repeat all cases of
  // a kind.
  testTimeout: oneIn() === 1 ? 7_200_000 : 2_400_000,
  // The suites mostly wait for programs that wait for each other.
  maxWorkers: 8,
};
