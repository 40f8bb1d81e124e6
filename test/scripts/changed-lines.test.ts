import { expect, test } from '@jest/globals';
import { changedLines } from '../../scripts/mutants/changed-lines.js';

test('a mutation run takes the new lines of each changed file, and no removed line', () => {
  const diff = [
    'diff --git a/src/domain/shard.ts b/src/domain/shard.ts',
    '--- a/src/domain/shard.ts',
    '+++ b/src/domain/shard.ts',
    '@@ -3 +3 @@ export type Shard = string;',
    '-const before = 1;',
    '+const after = 1;',
    '@@ -10,0 +11,4 @@',
    '+a',
    '+b',
    '+c',
    '+d',
    '@@ -20,2 +24,0 @@',
    '-gone',
    '-gone',
    'diff --git a/src/removed.ts b/src/removed.ts',
    '--- a/src/removed.ts',
    '+++ /dev/null',
    '@@ -1,2 +0,0 @@',
    '-gone',
    '-gone',
    'diff --git a/src/new.ts b/src/new.ts',
    '--- /dev/null',
    '+++ b/src/new.ts',
    '@@ -0,0 +1,9 @@',
    '+new',
  ].join('\n');

  expect(changedLines(diff)).toEqual([
    'src/domain/shard.ts:3-3',
    'src/domain/shard.ts:11-14',
    'src/new.ts:1-9',
  ]);
});
