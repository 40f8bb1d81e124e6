import { e2eSuites } from './process-suites.js';

/** Settings of both jest configurations. */
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
    '<rootDir>/scripts/jest/report-at-end.js',
    '<rootDir>/scripts/jest/still-running.js',
  ],
  testSequencer: '<rootDir>/scripts/jest/longest-first.js',
  randomize: true,
  maxWorkers: 2,
  // A worker never frees ECMAScript modules: garbage collection gets slower with their number.
  workerIdleMemoryLimit: '600MB',
  testTimeout: 300_000,
};

/** Suites that the unit tests exclude. */
export const notOfUnit = [
  ...shared.testPathIgnorePatterns,
  ...e2eSuites.map((one) => `<rootDir>/${one}`),
];
