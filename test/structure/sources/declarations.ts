import { describe, expect, test } from '@jest/globals';
import { errorCodes } from '../../../src/domain/error-codes.ts';
import { listKeys } from '../../../src/domain/keys/key.ts';
import { drainKeys } from '../../../src/domain/keys/sections/drain-keys.ts';
import { githubKeys } from '../../../src/domain/keys/sections/github-keys.ts';
import { healthcheckKeys } from '../../../src/domain/keys/sections/healthcheck-keys.ts';
import { hostKeys } from '../../../src/domain/keys/sections/host-keys.ts';
import { filesBelow, read } from '../tree.ts';

const written = ['src', 'sandbox', 'generate', 'model', 'scripts', 'test']
  .flatMap(filesBelow)
  .filter((path) => path.endsWith('.ts') && !read(path).startsWith('// Generated'));

/** Lists files with all of these names. A new name would have to be added to each. */
function filesNaming(names: readonly (readonly string[])[]): readonly string[] {
  const patterns = names.map((one) => new RegExp(`\\b(?:${one.join('|')})\\b`));
  return written.filter((path) => {
    const text = read(path);
    return patterns.every((pattern) => pattern.test(text));
  });
}

// CONTRIBUTING lists the files for each kind of change. Another list of the same names would be a
// second declaration.
describe('the files of a change', () => {
  test.each(
    Object.entries({
      drain: drainKeys,
      github: githubKeys,
      healthcheck: healthcheckKeys,
      host: hostKeys,
    }),
  )(
    'the keys of %s are listed in their declaration and in the rows that observe them',
    (of, section) => {
      // A key is named by itself or by its setting.
      const settings = Object.keys(section);
      const names = listKeys(section).map(({ name }, index) => [
        name.replaceAll('.', '\\.'),
        ...(of === 'healthcheck' ? [] : [settings[index] ?? name]),
      ]);
      expect(filesNaming(names)).toEqual([
        `src/domain/keys/sections/${of}-keys.ts`,
        'test/config/observed/rows.ts',
      ]);
    },
  );

  test('the codes of errors are listed once', () => {
    expect(filesNaming(errorCodes.map((code) => [code]))).toEqual(['src/domain/error-codes.ts']);
  });
});
