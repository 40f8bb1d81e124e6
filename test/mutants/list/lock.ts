import { type Mutant, mutantsOf } from '../mutant.ts';

/** Who owns the lock, and who only believes so. */
export const lock: readonly Mutant[] = [
  ...mutantsOf('src/domain/deployment/lock/lock-log.ts', [
    {
      id: 'an acquire counts while somebody owns the lock',
      find: "  return entry.kind === 'acquire' ? owner === undefined : owner?.nonce === entry.from;",
      replace: "  return entry.kind === 'acquire' || owner?.nonce === entry.from;",
    },
    {
      id: 'a takeover counts whomever it names',
      find: "  return entry.kind === 'acquire' ? owner === undefined : owner?.nonce === entry.from;",
      replace: "  return entry.kind === 'acquire' ? owner === undefined : owner !== undefined;",
    },
    {
      id: 'a release counts whomever it names',
      find: "  if (entry.kind === 'release') return owner?.nonce === entry.from;",
      replace: "  if (entry.kind === 'release') return owner !== undefined;",
    },
    {
      id: 'an entry that arrives once more owns the lock again',
      find: '  if (spent.has(entry.nonce)) return false;\n',
      replace: '',
    },
    {
      id: 'what was given up before it arrived owns the lock',
      find: "  const named = entry === undefined || entry.kind === 'acquire' ? [] : [entry.from];",
      replace: '  const named: string[] = [];',
    },
    {
      id: 'entries of a log whose name was deleted count',
      find: '  if (entry.log !== undefined && entry.log !== log) return false;\n',
      replace: '',
    },
    {
      id: 'an entry of the lock that cannot be read is passed over',
      find: '  if (entry === undefined) return { ...moved, owner: { nonce: last, owner: undefined } };',
      replace: '  if (entry === undefined) return moved;',
    },
    {
      id: 'a lock is folded over an entry that is missing',
      find: "  if (oldest === undefined || hasGap(ordered)) return { kind: 'gap' };",
      replace: "  if (oldest === undefined || hasGap([])) return { kind: 'gap' };",
    },
    {
      id: 'another log’s entry says who owned the lock before',
      find: '    if (read === undefined || seen.version >= version || nonceOf(read) !== seen.last) continue;',
      replace: '    if (read === undefined || seen.version >= version) continue;',
    },
    {
      id: 'the same number of a newer log is gone on with',
      find: '  return same !== undefined && nonceOf(same) === known?.last ? known : undefined;',
      replace: '  return same === undefined ? undefined : known;',
    },
  ]),
  ...mutantsOf('src/domain/deployment/lock/lock.ts', [
    {
      id: 'a person’s word takes the lock of a job that the CI says runs',
      find: "  if (byHand && (holder === undefined || holder.kind === 'unknown'))\n",
      replace: '  if (byHand)\n',
    },
  ]),
  ...mutantsOf('src/stages/record/lock/lock.ts', [
    {
      id: 'a lock that is held is taken over',
      find: "  if (judgement.kind === 'stale')\n",
      replace: '  if (judgement.kind !== undefined)\n',
    },
    {
      id: 'a lock that cannot be read is taken without a person',
      find: '    if (!byHand) throw lockInvalid({ runner, parameter, stage });\n',
      replace: '',
    },
    {
      id: 'the name of a lock that somebody deleted is waited for without end',
      find: '    if (looks > mostLooks) throw lockHeld({ runner, stage, reason, isAlive: true });\n',
      replace:
        '    if (looks > mostLooks * 1e6) throw lockHeld({ runner, stage, reason, isAlive: true });\n',
      tests: ['test/record/lock.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/record/lock/lock-claim.ts', [
    {
      id: 'whose entry was answered has the lock',
      find: "  if (read.kind === 'folded' && read.state.owner?.nonce === nonce)\n",
      replace: "  if (read.kind === 'folded')\n",
    },
    {
      id: 'who gives up leaves an entry that may still arrive',
      find: '    if (mayBeThere) await giveUp(claim, known);\n',
      replace: '',
    },
    {
      id: 'the lock is begun by overwriting',
      find: "    const created = await ports.parameters.create({ name, value: formatEntry(entry) });\n    if (created.kind === 'created') return created.version;",
      replace:
        '    return (await ports.parameters.overwrite({ name, value: formatEntry(entry) })).version;',
    },
  ]),
  ...mutantsOf('src/stages/record/lock/held-lock.ts', [
    {
      id: 'an owner goes on whose lock was taken over',
      find: '      if (loss !== undefined) throw lockLost({ runner, stage, reason: loss.reason });\n',
      replace:
        '      if (loss !== undefined && loss.reason === "") throw lockLost({ runner, stage, reason: "" });\n',
    },
    {
      id: 'the same number is taken for the same lock',
      find: '    if (newest?.version === state.version && nonceOf(parseVersion(newest)) === state.last)\n',
      replace:
        '    if (newest?.version === state.version && nonceOf(parseVersion(newest)) !== "")\n',
    },
    {
      id: 'the lock is never released',
      find: '      await writeRelease(using, parameter, { ...common, from: nonce, seen });\n',
      replace: '      Array.of({ ...common, from: nonce, seen }, writeRelease);\n',
    },
  ]),
  ...mutantsOf('src/stages/record/journal.ts', [
    {
      id: 'the record is written and compared side by side',
      find: '    write: (record) => known.turn(() => write(record)),\n',
      replace: '    write,\n',
    },
    {
      id: 'a takeover leaves the record as the old owner has read it',
      find: '      if (known.owesFence && known.record !== undefined) await write(known.record);\n',
      replace: '',
    },
    {
      id: 'the record is read older than the last owner has seen it',
      find: 'Math.max(known.version, known.floor));',
      replace: 'Math.max(known.version, known.floor * 0));',
    },
    {
      id: 'the record is written without a look at the lock',
      find: '    await known.lock?.confirm(ports);\n    const value',
      replace: '    const value',
    },
  ]),
];
