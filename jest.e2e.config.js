import { shared } from './scripts/jest/shared.js';

// Suites that drive other programs. They run the committed bundle, so nothing is compiled first but
// for who tries what is compiled.
export default {
  ...shared,
  globalSetup: process.env['BY_HAND_PROGRAM'] ? shared.globalSetup : undefined,
  displayName: 'e2e',
  roots: ['<rootDir>/test/e2e'],
  // Only there to end a hang: no test is about how fast something goes, and machines differ.
  testTimeout: 2_400_000,
  // They mostly wait for programs that wait for each other.
  maxWorkers: 6,
};
