import { type Mutant, mutantsOf } from '../mutant.ts';

/** What a person in an incident is spared. */
export const operators: readonly Mutant[] = [
  ...mutantsOf('src/operator/confirm.ts', [
    {
      id: 'any word that is typed is the shard',
      find: '  if (answer.trim() !== shard) throw',
      replace: "  if (answer.trim() === '') throw",
      tests: ['test/operator/recover.test.ts'],
    },
  ]),
];
