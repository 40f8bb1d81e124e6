import { type Mutant, mutantsOf } from '../mutant.ts';

/** What AWS says, taken for more than it says, and writes that go to somebody else. */
export const aws: readonly Mutant[] = [
  ...mutantsOf('src/adapters/aws/ask.ts', [
    {
      id: 'credentials that have ended were wrong from the beginning',
      find: 'wereAccepted: options.credentials?.wereAccepted() ?? false,',
      replace: 'wereAccepted: false,',
      tests: ['test/aws/access/id-token.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/inventory/instances.ts', [
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
  ...mutantsOf('src/adapters/aws/inventory/instances.ts', [
    {
      id: 'a reservation that lists nothing is one without machines',
      find: "      if (listed === undefined) throw lacking(ec2, what, 'a reservation without instancesSet');\n",
      replace: '      if (listed === undefined) continue;\n',
      tests: ['test/aws/whose-cloud.test.ts'],
    },
    {
      id: 'a rehearsal that succeeded says that the machine may be ended',
      find: "    if (answer.kind === 'refusal') return { kind: 'allowed' };",
      replace: "    if (answer.kind.length > 0) return { kind: 'allowed' };",
      tests: ['test/aws/whose-cloud.test.ts'],
    },
    {
      id: 'EC2 is asked about what is no id of a machine',
      find: '  if (/^i-[0-9a-f]{8,17}$/.test(id)) return id;',
      replace: "  if (id !== '') return id;",
      tests: ['test/aws/whose-cloud.test.ts'],
    },
    {
      id: 'an answer about another machine is one about this',
      find: 'found.find((instance) => instance.id === id)',
      replace: 'found.at(id.length > 0 ? 0 : -1)',
      tests: ['test/aws/whose-cloud.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/failure.ts', [
    {
      id: 'a write that AWS’s servers failed at changed nothing',
      find: "  if (status >= 500) return { kind: 'unavailable', sent: 'maybe' };",
      replace: "  if (status >= 500) return { kind: 'unavailable', sent: 'never' };",
      tests: ['test/aws/failures.test.ts'],
    },
    {
      id: 'a write whose socket broke never arrived',
      find: "name === 'AbortError' || code !== undefined) {\n    return { kind: 'unreachable', sent: 'maybe' };",
      replace:
        "name === 'AbortError' || code !== undefined) {\n    return { kind: 'unreachable', sent: 'never' };",
      tests: ['test/aws/failures.test.ts'],
    },
    {
      id: 'a page that is not AWS’s is AWS’s refusal',
      find: '  if (status < 400 || !facts.typed) return',
      replace: '  if (status < 400) return',
      tests: ['test/aws/failures.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/retry.ts', [
    {
      id: 'a write to AWS whose answer is lost is sent again',
      find: "  return failure.effect === 'none' && isPassing(failure);",
      replace: '  return isPassing(failure);',
      tests: ['test/aws/failures.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/ask.ts', [
    {
      id: 'the SDK repeats by itself',
      find: '    maxAttempts: 1,',
      replace: '    maxAttempts: 3,',
      tests: ['test/aws/failures.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/state-store/state-store.ts', [
    {
      id: 'a parameter is created over another one',
      find: '        Overwrite: false,',
      replace: '        Overwrite: true,',
      tests: ['test/aws/failures.test.ts'],
    },
    {
      id: 'a token is kept in clear text where no key is named',
      find: "  if (secret !== true) return { Type: 'String' };",
      replace: "  if (secret !== true || kmsKeyId === undefined) return { Type: 'String' };",
      tests: ['test/aws/parameter-troubles.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/state-store/parameter-reads.ts', [
    {
      id: 'a parameter that may not be read is absent',
      find: "answers: ['ParameterNotFound', 'ParameterVersionNotFound'],",
      replace:
        "answers: ['ParameterNotFound', 'ParameterVersionNotFound', 'AccessDeniedException'],",
      tests: ['test/aws/failures.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/state-store/parameter-answer.ts', [
    {
      id: 'an answer about another parameter is one about this',
      find: "  if (given.Name !== name) throw refuse(`the answer is about ${given.Name ?? 'no parameter'}`);\n",
      replace: '',
      tests: ['test/aws/failures.test.ts'],
    },
  ]),
];
