import { e2eSuites } from './process-suites.js';

/** What both jest configurations agree on. */
export const shared = {
  testEnvironment: '<rootDir>/scripts/jest/clean-environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: ['<rootDir>/.ci/', '<rootDir>/build/', '<rootDir>/dist/'],
  reporters: [
    'default',
    '<rootDir>/scripts/jest/tell-at-end.js',
    '<rootDir>/scripts/jest/still-running.js',
  ],
  testSequencer: '<rootDir>/scripts/jest/longest-first.js',
  randomize: true,
  maxWorkers: 2,
  // Modules of ECMAScript are never given up by a worker; the more there are, the longer it collects.
  workerIdleMemoryLimit: '600MB',
  testTimeout: 300_000,
};

/** The suites that the unit tests leave out. */
export const notOfUnit = [
  ...shared.testPathIgnorePatterns,
  ...e2eSuites.map((one) => `<rootDir>/${one}`),
];
