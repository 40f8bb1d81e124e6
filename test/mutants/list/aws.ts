import { type Mutant, mutantsOf } from '../mutant.ts';

/** What AWS says, taken for more than it says, and writes that go to somebody else. */
export const aws: readonly Mutant[] = [
  ...mutantsOf('src/aws/instances.ts', [
    {
      id: 'the machines of another stack whose name begins like ours are ours',
      find: "  return found.filter(({ tags }) => tags['Name'] === name);",
      replace: "  return found.filter(({ tags }) => tags['Name'] !== '');",
      tests: ['test/aws/ec2-troubles.test.ts'],
    },
    {
      id: 'a machine in a state that nobody documented is terminated',
      find: "(state?.Name as InstanceState) : 'unknown'",
      replace: "(state?.Name as InstanceState) : 'terminated'",
      tests: ['test/aws/ec2-troubles.test.ts'],
    },
    {
      id: 'a machine is ended whatever its Name tag says',
      find: "  if (found.tags['Name'] !== name) {",
      replace: "  if (found.tags['Name'] === undefined) {",
      tests: ['test/aws/ec2-troubles.test.ts'],
    },
    {
      id: 'a machine is ended although the rehearsal was denied',
      find: "  if (rehearsal.kind === 'denied') {",
      replace: "  if (rehearsal.kind !== 'denied' && rehearsal.kind !== 'allowed') {",
      tests: ['test/aws/ec2-troubles.test.ts'],
    },
    {
      id: 'a termination that is accepted counts as seen',
      find: 'found === undefined || !isEndable(found) ? seen(true) : notYet();',
      replace: 'found === undefined || found.id === id ? seen(true) : notYet();',
      tests: ['test/aws/ec2-troubles.test.ts'],
    },
  ]),
];
