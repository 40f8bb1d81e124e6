import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestFile, digestOfSources } from '../made-from.js';
import { root } from '../run.js';
import compileBeforeTests from './compile-before-tests.js';

/**
 * Prepares e2e as jest's globalSetup: its suites start dist/, which must match the current sources.
 */
export default async function prepareE2e() {
  const madeFrom = readFileSync(join(root, 'dist', digestFile), 'utf8').trim();
  if (madeFrom !== digestOfSources())
    throw new Error('dist/ was not built from these sources. Build it: npm run build');
  await compileBeforeTests();
}
