import { mutantsOf } from '../mutant.ts';

const guards = ['test/operator/guards.test.ts'];
const asked = ['test/operator/recover/recover.test.ts'];

/** The guards of the ladder: each alone stands between a command and an outage somewhere. */
export const recovery = [
  ...mutantsOf('src/domain/deployment/recovery.ts', [
    {
      id: 'recover takes away the active shard',
      find: '  if (active === shard) return `${shard} is the active shard`;',
      replace: '',
      tests: guards,
    },
    {
      id: 'recover does not ask GitLab for jobs',
      find: '  if (jobs[0] !== undefined)',
      replace: '  if (jobs[0]?.id === shard)',
      tests: guards,
    },
    {
      id: 'recover does not mind a job that the token cannot see',
      find: "  if (facts.hiddenJob === 'yes')",
      replace: "  if (facts.hiddenJob === 'yes' && facts.managers < 0)",
      tests: guards,
    },
    {
      id: 'recover takes the silence of everybody for an idle shard',
      find: "  if (facts.hiddenJob === 'unknown')",
      replace: "  if (facts.hiddenJob === 'unknown' && facts.managers < 0)",
      tests: guards,
    },
    {
      id: 'a shard whose runner record was deleted is idle for want of one',
      find: 'const isSaid = !lostRecord && (',
      replace: 'const isSaid = (lostRecord && executions.length === 0) || (',
      tests: ['test/operator/hidden-job.test.ts', 'test/operator/recover/lost-record.test.ts'],
    },
    {
      id: "recover does not mind the host's own word",
      find: "  if (typeof hostJobs === 'number' && hostJobs > 0)",
      replace: "  if (typeof hostJobs === 'number' && hostJobs > 99)",
      tests: guards,
    },
    {
      id: 'recover touches a shard that is open to customers',
      find: '  if (!quarantined && !isDrained(phase))',
      replace: '  if (!quarantined && !isDrained(phase) && facts.managers < 0)',
      tests: guards,
    },
    {
      id: "a rerun does not mind a customer's job on the candidate",
      find: "  if (jobs[0] !== undefined && phase !== 'retreating' && isBefore(phase, 'promoting'))",
      replace:
        "  if (jobs[0]?.id === shard && phase !== 'retreating' && isBefore(phase, 'promoting'))",
      tests: guards,
    },
    {
      id: 'a rerun of what changed nothing is allowed',
      find: '  if (broughtChange(lastApply) || somethingHappened !== undefined) return undefined;',
      replace: '  if (lastApply.at !== somethingHappened) return undefined;',
      tests: guards,
    },
    {
      id: 'a cleanup does not need the CI to agree',
      find: "  if (lastJobs === 'unknown' || lastJobs.slice(0, 2).every((end) => end === 'failed'))",
      replace: "  if (lastJobs === 'unknown' || lastJobs.length > 0)",
      tests: guards,
    },
    {
      id: 'a cleanup does not need rule 6',
      find: '  if (rule6 !== undefined || !contacted || tokenLost) return rule6;',
      replace: '  if (!contacted) return rule6;',
      tests: guards,
    },
    {
      id: 'whose token is lost is taken for one that a rerun can help',
      find: '  return tokenLost\n    ? `the token that a',
      replace: "  return tokenLost && shard === ''\n    ? `the token that a",
      tests: ['test/domain/deployment/lost-token.test.ts'],
    },
    {
      id: 'a lost token waits for the word of the CI',
      find: '  if (rule6 !== undefined || !contacted || tokenLost) return rule6;',
      replace: '  if (rule6 !== undefined || !contacted) return rule6;',
      tests: ['test/domain/deployment/lost-token.test.ts'],
    },
    {
      id: 'a rerun is allowed though the runner record is gone',
      find: '  if (registrationGone)\n    return `the ${words.record}',
      replace:
        '  if (registrationGone && lastApply?.at === shard)\n    return `the ${words.record}',
      tests: guards,
    },
    {
      id: 'auto reruns what a lasting cause will fail again',
      find: 'judge(rerun, facts.lastingCause ?? (isOnlyOne ? undefined : doubtRerun(facts))),',
      replace: 'judge(rerun, isOnlyOne ? undefined : doubtRerun(facts)),',
      tests: guards,
    },
    {
      id: 'replace is tried where no address is known',
      find: "  if (!knowsAddresses) return 'the infrastructure driver knows no addresses';\n",
      replace: '',
      tests: guards,
    },
    {
      id: 'replace is tried where nothing is built',
      find: "  if (isBefore(record.deployment.phase, 'applied')) return `${shard} is not built yet`;\n",
      replace: '',
      tests: guards,
    },
    {
      id: 'replace builds a machine that has no runner record',
      find: '  if (registrationGone) return `a new machine',
      replace: '  if (registrationGone && !knowsAddresses) return `a new machine',
      tests: guards,
    },
    {
      id: 'terminate goes on where instances cannot be listed',
      find: "  if (machines === 'unknown') return `the instances",
      replace:
        "  if (machines === 'unknown') return undefined;\n  if (machines.length < 0) return `the instances",
      tests: guards,
    },
    {
      id: 'terminate goes on without an instance',
      find: '  if (machines.length === 0)',
      replace: '  if (machines.length < 0)',
      tests: guards,
    },
    {
      id: 'one of two instances is ended by guess',
      find: '  if (machines.length > 1)',
      replace: '  if (machines.length > 99)',
      tests: guards,
    },
  ]),
  ...mutantsOf('src/operator/confirm.ts', [
    {
      id: 'nobody has to be there to confirm',
      find: "  if (consent.kind === 'nobody') throw",
      replace: "  if (consent.kind === 'nobody') return;\n  if (act === '') throw",
      tests: asked,
    },
    {
      id: 'whatever is typed confirms',
      find: '  if (typed !== shard) throw',
      replace: "  if (typed === '') throw",
      tests: asked,
    },
  ]),
  ...mutantsOf('src/operator/recover/recover.ts', [
    {
      id: 'whoever runs again for want of another rung waits out a whole healthcheck',
      find: "recovery.method === 'auto' && rung === 'rerun'",
      replace: "recovery.method === 'auto' && rung !== 'rerun'",
      tests: ['test/operator/recover/recover.test.ts'],
    },
    {
      id: 'recover goes on where status and record contradict',
      find: '  await refuseContradiction(context, record);\n',
      replace: '',
      tests: asked,
    },
    {
      id: 'auto stops after a rerun that did not help',
      find: "  return method === 'auto' && apply !== undefined && !broughtChange(apply);",
      replace: "  return method !== 'auto' && apply !== undefined && !broughtChange(apply);",
      tests: asked,
    },
    {
      id: 'auto tears down again and again what was built anew',
      find: "  return method === 'auto' && apply !== undefined && !broughtChange(apply);",
      replace: "  return method === 'auto' && apply !== undefined;",
      tests: asked,
    },
  ]),
  ...mutantsOf('src/stages/walk/session.ts', [
    {
      id: 'recover chooses though the stack is held',
      find: '    await refuse(context, free);\n',
      replace: '    await refuse(context, Promise.resolve());\n',
      tests: asked,
    },
  ]),
  ...mutantsOf('src/operator/doctor/repair.ts', [
    {
      id: 'doctor repairs without a yes',
      find: "  if (typed !== 'yes')",
      replace: "  if (typed === 'never')",
      tests: ['test/operator/doctor/doctor.test.ts'],
    },
    {
      id: 'doctor repairs where nobody agreed',
      find: "  if (consent.kind === 'nobody')",
      replace: "  if (consent.kind === 'nobody' && runner === '')",
      tests: ['test/operator/doctor/doctor.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/left-closed.ts', [
    {
      id: 'what a rollback goes back to stays closed under a hold',
      find: 'leftClosed(context) ?? returningTo(context)',
      replace: 'leftClosed(context)',
      tests: ['test/scenarios/bake/outside/held-service.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/unfinished-run.ts', [
    {
      id: 'a rollback that a hold ends leaves closed what it goes back to',
      find: 'findClosed(context, error) ?? findReturning(context, error)',
      replace: 'findClosed(context, error)',
      tests: ['test/scenarios/bake/outside/held-service.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/reopen.ts', [
    {
      id: 'what a rollback goes back to is noted as closed by a drain',
      find: '  if (!isReturn && !isTakenBack)\n',
      replace: '  if (registration !== undefined)\n',
      tests: ['test/scenarios/bake/outside/held-service.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/deployment/stage-plan.ts', [
    {
      id: 'a recovery takes the place of the approval',
      find: "until === undefined ? awaitsApproval === true : until === 'healthy'",
      replace: "until === 'healthy'",
      tests: ['test/scenarios/endings/approval-kept.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/candidate/prepared-record.ts', [
    {
      id: 'an adoption drops the approval that the deployment waits for',
      find: 'deployment: { ...record.deployment, ...owner(context) } };',
      replace:
        'deployment: { ...record.deployment, awaitsApproval: undefined, ...owner(context) } };',
      tests: ['test/scenarios/endings/approval-kept.test.ts'],
    },
  ]),
];
