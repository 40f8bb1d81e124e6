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
  ...mutantsOf('src/operator/doctor/repair.ts', [
    {
      id: 'doctor takes any word but no for a yes',
      find: "  if (answer.trim() !== 'yes')",
      replace: "  if (answer.trim() === 'no')",
      tests: ['test/operator/doctor.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/takeover.ts', [
    {
      id: 'an activation keeps the evidence of before',
      find: '  const { evidence: _, ...entry } = shardEntry(record, shard);',
      replace: '  const { ...entry } = shardEntry(record, shard);',
      tests: ['test/scenarios/takeovers.test.ts'],
    },
    {
      id: 'activate takes a runner of the other shard',
      find: '  refuseAnother(context, { shard, registration: chosen, record, ofOther });\n',
      replace: '',
      tests: ['test/operator/activate.test.ts'],
    },
  ]),
  ...mutantsOf('src/operator/recover/choice.ts', [
    {
      id: 'what is asked for by name is done whatever is in its way',
      find: "    if (judged?.kind === 'can_help' || judged === undefined) return method;",
      replace: '    return method;',
      tests: ['test/operator/recover.test.ts'],
    },
  ]),
];
