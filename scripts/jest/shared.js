/** What both jest configurations agree on. */
export const shared = {
  testEnvironment: 'node',
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
  globalSetup: '<rootDir>/scripts/compile-before-tests.js',
  reporters: [
    'default',
    '<rootDir>/scripts/tell-at-end.js',
    '<rootDir>/scripts/machine-pauses.js',
    '<rootDir>/scripts/still-running.js',
  ],
  testSequencer: '<rootDir>/scripts/longest-first.js',
  randomize: true,
  maxWorkers: 2,
  testTimeout: 300_000,
};
