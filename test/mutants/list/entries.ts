import { type Mutant, mutantsOf } from '../mutant.ts';

/** Reads that are behind and answers that are lost, in what is kept in Parameter Store. */
export const entries: readonly Mutant[] = [
  ...mutantsOf('src/stages/record/versioned.ts', [
    {
      id: 'a write that was counted past is ours',
      find: '  if (version === write.version + 1) return version;',
      replace: '  if (version > write.version) return version;',
      tests: ['test/record/versioned.test.ts'],
    },
    {
      id: 'a write of an unknown end is sent again at once',
      find: '    return readBack(write);',
      replace: '    return undefined;',
      tests: ['test/record/versioned.test.ts'],
    },
    {
      id: 'one read that is behind proves that a write never arrived',
      find: 'if (looks > staleReads) return seen(undefined);',
      replace: 'if (looks > 1) return seen(undefined);',
      tests: ['test/record/versioned.test.ts'],
    },
    {
      id: 'what somebody wrote in between is ours where we wrote last',
      find: '  const theirs = isOurs ? await findForeign(parameters, written) : found;',
      replace: '  const theirs = isOurs ? undefined : found;',
      tests: ['test/record/versioned.test.ts'],
    },
    {
      id: 'a value that is not ours is taken for ours',
      find: '  const isOurs = found.value === value;',
      replace: "  const isOurs = found.value !== '';",
      tests: ['test/record/versioned.test.ts'],
    },
    {
      id: 'a read that is behind is believed',
      find: '(found?.version ?? 0) >= version || looks >= staleReads',
      replace: 'looks >= 1 || (found?.version ?? 0) >= version',
      tests: ['test/record/versioned.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/hold.ts', [
    {
      id: 'a hold that cannot be read does not hold',
      find: "  return { who: 'somebody', why: shown, since };",
      replace: "  return shown === '' ? undefined : undefined;",
      tests: ['test/record/journal.test.ts'],
    },
    {
      id: 'a release ends whatever hold stands before it',
      find: '    if (version === of + 1) return undefined;',
      replace: '    if (version > of) return undefined;',
      tests: ['test/operator/hold.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/record-format.ts', [
    {
      id: 'a record of a newer program is read as a broken one',
      find: "typeof schema === 'number' && schema > newestRecordSchema",
      replace: "typeof schema === 'number' && schema > newestRecordSchema + 1",
      tests: ['test/record/record-format.test.ts'],
    },
    {
      id: 'a record outgrows its parameter',
      find: 'Buffer.byteLength(text) <= sizeLimit',
      replace: 'text.length <= sizeLimit',
      tests: ['test/record/record-format.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/record-schema.ts', [
    {
      id: 'a record with a key of a newer version is written as the first',
      find: "  'deployment.awaits_approval': 3,\n",
      replace: '',
      tests: ['test/record/record-schema.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/shorter-record.ts', [
    {
      id: 'what is given back to a person’s runner outgrows the record',
      find: '  withoutTagsBefore,\n',
      replace: '',
      tests: ['test/record/longest-record.test.ts'],
    },
    {
      id: 'a promotion of a record that is too long rests on no manager',
      find: "isBefore(phase, 'promoted') ? candidate : undefined",
      replace: 'undefined',
      tests: ['test/record/longest-record.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/lock/held-lock.ts', [
    {
      id: 'a lock that is somebody else’s is released',
      find: '      if (loss?.isKnown === true) {',
      replace: "      if (loss?.isKnown === true && loss.reason === '') {",
      tests: ['test/record/lock.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/shard-format.ts', [
    {
      id: 'a record forgets that runners are being removed',
      find: '    ...(entry.removal === undefined ? {} : { removal: entry.removal }),\n',
      replace: '',
      tests: ['test/record/round-trip.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/record-format.ts', [
    {
      id: 'a record forgets when the drain closed the shard',
      find: '      ...(deployment.closedAt === undefined ? {} : { closed_at: deployment.closedAt }),\n',
      replace: '',
      tests: ['test/record/round-trip.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/lock/lock-claim.ts', [
    {
      id: 'a release that was refused is sent again',
      find: "      const isNone = isPortFailure(error) && error.effect === 'none';",
      replace: '      const isNone = isPortFailure(error) && attempt > 99;',
      tests: ['test/record/name-kept-back.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/create-parameter.ts', [
    {
      id: 'a name that is somebody’s by now is waited for',
      find: 'looks > mostLooks || (await parameters.find(parameter.name)) !== undefined',
      replace: 'looks > mostLooks || parameter.name === undefined',
      tests: ['test/record/name-kept-back.test.ts'],
    },
  ]),
];
