import { mutantsOf } from '../mutant.ts';

const drainIsAwaited =
  "  const drained = await guarded(context, 'drained', () =>\n    drainShard(context, retiring, { ...context.settings.drain, notProvenSince, proof, open }),\n  );\n";

const silence = ['test/scenarios/drain/silent-registry.test.ts'];

/** Drain, stop, deregister, destroy, finish: what stands between a busy shard and its end. */
export const retirement = [
  ...mutantsOf('src/stages/drain/silent-looks.ts', [
    {
      id: 'a drain that nobody answers waits for ever',
      find: 'const silentForMs = 600_000;',
      replace: 'const silentForMs = 86_400_000;',
      tests: silence,
    },
    {
      id: 'a world that does not answer ends a drain as failed',
      find: 'if (!isPortFailure(error) || !isPassing(error)) throw error;',
      replace: 'if (error !== undefined) throw error;',
      tests: silence,
    },
  ]),
  ...mutantsOf('src/stages/drain/drain.ts', [
    {
      id: 'what was confirmed before a silence counts after it',
      find: 'if (isTorn && silence.isUnderWay()) looks.length = 0;',
      replace: '',
      tests: silence,
    },
  ]),
  ...mutantsOf('src/stages/drain/drain.ts', [
    {
      id: 'the drain is not awaited',
      find: drainIsAwaited,
      replace:
        "  void drainShard(context, retiring).catch(() => undefined);\n  const drained = { reason: 'nothing was awaited' };\n",
    },
    {
      id: 'the shard that stays is not asked whether it serves',
      find: "    const asked = await guarded(context, 'active_shard', () => refuseLastShard(context, retiring));\n",
      replace: '    const asked: Awaited<ReturnType<typeof refuseLastShard>> = {};\n',
    },
    {
      id: 'the intake is not closed before jobs are counted',
      find: '  await closeIntake(context, shard, { proof: rules.proof, seen: before });\n  await noteClosed',
      replace: '  await noteClosed',
    },
    {
      id: 'a reopened intake is taken for drained',
      find: "    if (judgement.kind === 'reopened') {",
      replace:
        "    if (judgement.kind === 'reopened') return { ...judgement, kind: 'drained', lost: [] };\n    if (judgement.kind === 'reopened') {",
    },
    {
      id: 'a drain that confirms is taken for drained',
      find: "    if (judgement.kind === 'drained') {",
      replace:
        "    if (judgement.kind === 'confirming') return { reason: judgement.reason, tally: undefined };\n    if (judgement.kind === 'drained') {",
    },
    {
      id: 'draining is written after the drain instead of before',
      find: "    await now.journal.write(withPhase(record, 'draining', timestamp(context)));\n",
      replace: '',
    },
    {
      id: 'drained is written before the drain',
      find: drainIsAwaited,
      replace:
        "  await journal.write(withPhase(journal.current(), 'drained', timestamp(context)));\n  const drained = await drainShard(context, retiring);\n",
    },
  ]),
  ...mutantsOf('src/stages/drain/drain-limits.ts', [
    {
      id: 'the timeout of a drain ends in drained',
      find: '    throw drainTimedOut({ ...facts, after: formatDuration(timeoutMs), asksHosts });',
      replace: '    await killJobs(context, shard, jobs);',
    },
    {
      id: 'the deadline of the job is not heeded while draining',
      find: '  if (ends)\n',
      replace: '  if (ends && stage === undefined)\n',
    },
    {
      id: 'a drain that was just begun is timed from the day before',
      find: '  const waitedMs = ports.clock.now() - since;',
      replace: '  const waitedMs = ports.clock.now() - since + 86_400_000;',
    },
  ]),
  ...mutantsOf('src/stages/drain/drain-look.ts', [
    {
      id: 'the registration is read before its jobs',
      find: `  const jobs = id === undefined ? undefined : await ports.registry.listJobs(id);
  const registration = await seeRegistration(context, shard);`,
      replace: `  const registration = await seeRegistration(context, shard);
  const jobs = id === undefined ? undefined : await ports.registry.listJobs(id);`,
    },
    {
      id: 'a host that does not answer has no jobs',
      find: "    if (report.kind === 'silent') return silent(host, report.reason);",
      replace: "    if (report.kind === 'silent') return { kind: 'jobs', host, count: 0 };",
    },
    {
      id: 'a host whose agent is lost has no jobs',
      find: "      agent === 'lost' ? silent(id, 'its agent is lost') : ask(context, id),",
      replace: "      agent === 'lost' ? { kind: 'jobs', host: id, count: 0 } : ask(context, id),",
    },
    {
      id: 'hosts that cannot be listed are none',
      find: "    return [silent('(all)', error.message)];",
      replace: '    return [];',
    },
    {
      id: 'infrastructure that cannot be asked is gone',
      find: "  if (exists === 'absent') return { hostsGone: true };",
      replace: "  if (exists !== 'present') return { hostsGone: true };",
    },
    {
      id: 'one source is enough for a host to be gone',
      find: "  if (exists === 'absent') return { hostsGone: true };",
      replace: '  if (exists !== undefined) return { hostsGone: true };',
    },
    {
      id: 'a list of EC2 without an instance proves that they are gone',
      find: '  const hostsGone = instances !== undefined && instances.length > 0 && instances.every(isDead);',
      replace: '  const hostsGone = instances !== undefined && instances.every(isDead);',
    },
    {
      id: 'a stopped instance is gone',
      find: '  const hostsGone = instances !== undefined && instances.length > 0 && instances.every(isDead);',
      replace:
        "  const hostsGone = (instances ?? []).length > 0 && (instances ?? []).every((one) => isDead(one) || one.state === 'stopped');",
    },
  ]),
  ...mutantsOf('src/domain/drain/drain.ts', [
    {
      id: 'GitLab’s hidden jobs are not counted',
      find: "  if (look.registration.kind === 'seen' && executionIn(look) === 'active') {",
      replace: "  if (look.jobs.length > 99 && look.registration.kind === 'seen') {",
    },
    {
      id: 'the host’s own jobs are not counted',
      find: "    if (host.kind === 'jobs' && host.count > 0)",
      replace: "    if (host.kind === 'jobs' && host.count > 99)",
    },
    {
      id: 'jobs in GitLab’s list are not counted',
      find: '  if (look.jobs.length > 0) {',
      replace: '  if (look.jobs.length > 99) {',
    },
    {
      id: 'idle once is idle',
      find: '  if (idleMs >= neededMs) {',
      replace: '  if (idleMs >= 0 * neededMs) {',
    },
    {
      id: 'GitLab alone is believed as soon as GitLab and the hosts',
      find: '  const aloneMs = confirmationOf(rules);',
      replace: '  const aloneMs = rules.pollOfRunnerMs;',
    },
    {
      id: 'a registration that is gone has no jobs',
      find: '  if (isBlind(last) || isSightless(last)) return judgeBlindTime(looks, rules);',
      replace: '  if (isSightless(last)) return judgeBlindTime(looks, rules);',
    },
    {
      id: 'one silent host of several is overlooked',
      find: "  return hosts.length > 0 && hosts.every(({ kind }) => kind !== 'silent');",
      replace: "  return hosts.some(({ kind }) => kind !== 'silent');",
    },
  ]),
  ...mutantsOf('src/stages/removal/end-process.ts', [
    {
      id: 'the exit of a process is not awaited',
      find: '    log.wait(`Waiting: the runner process on ${host} ends, ${reason}.`);\n    return notYet();',
      replace: '    return seen(true);',
    },
    {
      id: 'a process that would start again counts as ended',
      find: "  return (process === 'stopped' || process === 'absent') && !restarts;",
      replace: "  return process === 'stopped' || process === 'absent' || restarts === undefined;",
    },
    {
      id: 'a process that is quitting counts as ended',
      find: "  return (process === 'stopped' || process === 'absent') && !restarts;",
      replace: "  return process !== 'running' && !(restarts && process === 'unknown');",
    },
    {
      id: 'the signal to quit is never sent again',
      find: '    if (needsSignal && look % resendEvery === 0) {',
      replace: '    if (needsSignal && look === 0) {',
    },
  ]),
  ...mutantsOf('src/stages/removal/deregister.ts', [
    {
      id: 'the drain is not proven once more before the registration goes',
      find: "  const drained = await guarded(context, 'drained', () => drainShard(context, retiring));\n",
      replace: "  const drained = { reason: 'nothing was asked' };\n",
    },
    {
      id: 'destroying is not written before the removal',
      find: "    await now.journal.write(withPhase(counted, 'destroying', timestamp(context)));\n",
      replace: '',
    },
    {
      id: 'a registration that is absent counts as removed by us in any phase',
      find: "  if (journal.current().deployment.phase !== 'destroying') return false;\n",
      replace: '',
    },
    {
      id: 'a busy registration counts as removed',
      find: "      if ((await registry.retire(registration)) !== 'busy') return;",
      replace:
        '      await registry.retire(registration);\n      if (registration !== undefined) return;',
    },
    {
      id: 'the registration is never removed',
      find: '  await removeRegistration(context, retiring, known);\n',
      replace: '',
    },
  ]),
  ...mutantsOf('src/stages/health/leave-no-canary.ts', [
    {
      id: 'a canary waits on after a run that failed',
      find: '  if (!isPromoted(context)) await cancelCanary(context);\n',
      replace: '  if (isPromoted(context)) await cancelCanary(context);\n',
    },
    {
      id: 'who waits for the lock cancels the canary of who has it',
      find: '  if (!isOurs && (await isWorkedOn(context))) return;\n',
      replace: '',
    },
  ]),
  ...mutantsOf('src/stages/removal/finish.ts', [
    {
      id: 'the canary is left behind',
      find: '  await cancelCanary(context);\n',
      replace: '',
    },
    {
      id: 'the record never says done',
      find: '  await journal.write(done);\n',
      replace: '  if (done.history.length > 99) await journal.write(done);\n',
    },
  ]),
];
