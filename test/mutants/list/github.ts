import { type Mutant, mutantsOf } from '../mutant.ts';

/** What GitHub says, taken for more than it says. */
export const github: readonly Mutant[] = [
  ...mutantsOf('src/github/retire.ts', [
    {
      id: 'a removal that was refused counts as made',
      find: "    return { outcome: 'unknown', detail: error.message };",
      replace: "    return { outcome: 'removed', detail: error.message };",
      tests: ['test/github/rate-limits.test.ts'],
    },
  ]),
  ...mutantsOf('src/github/runners.ts', [
    {
      id: 'one reading of a list of several pages is enough',
      find: '    if (isWhole && (pages === 1 || now === before)) return seen(runners);',
      replace: '    if (isWhole) return seen(runners);',
      tests: ['test/github/churning-lists.test.ts'],
    },
    {
      id: 'a runner that is refused as busy is removed',
      find: "      return 'busy';\n    }\n    throw error;",
      replace: "      return 'removed';\n    }\n    throw error;",
      tests: ['test/github/rate-limits.test.ts'],
    },
  ]),
  ...mutantsOf('src/github/version-ending.ts', [
    {
      id: 'a version of which GitHub does not speak lives',
      find: "    return { kind: 'unknown', detail: error.message };",
      replace: "    return { kind: 'none' };",
      tests: ['test/github/version-ending.test.ts'],
    },
  ]),
];
