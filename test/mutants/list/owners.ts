import { type Mutant, mutantsOf } from '../mutant.ts';

/** Whether another pipeline or job of GitLab’s can still act. */
export const owners: readonly Mutant[] = [
  ...mutantsOf('src/adapters/gitlab/jobs/stage-jobs.ts', [
    {
      id: 'a stage of an unknown status is at rest',
      find: '!except.has(each.id) && !atRest.has(each.status)',
      replace: "!except.has(each.id) && each.status === 'running'",
      tests: ['test/gitlab/jobs/stage-jobs.test.ts'],
    },
    {
      id: 'a pipeline whose stages have other names is over',
      find: "  if (stages.length === 0) return 'it has not ended';\n",
      replace: '',
      tests: ['test/gitlab/jobs/stage-jobs.test.ts'],
    },
    {
      id: 'a manual job that may fail holds a pipeline up',
      find: " && !(each.status === 'manual' && each.allow_failure === true),",
      replace: ' && each.allow_failure !== undefined,',
      tests: ['test/gitlab/jobs/stage-jobs.test.ts'],
    },
    {
      id: 'a stage that has yet to run lets another pipeline in',
      find: '  return blocked && !other ? undefined : `its job',
      replace: '  return blocked || other ? undefined : `its job',
      tests: ['test/gitlab/jobs/stage-jobs.test.ts'],
    },
    {
      id: 'the endings of provisions are told oldest first',
      find: '.toSorted((one, other) => other.id - one.id)',
      replace: '.toSorted((one, other) => one.id - other.id)',
      tests: ['test/gitlab/jobs/stage-jobs.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/pipelines.ts', [
    {
      id: 'an owner that cannot be asked about is over',
      find: '    if (isPortFailure(error)) return unknown(error.message);\n    throw error;\n  }\n}\n\nfunction referenceOf',
      replace:
        "    if (isPortFailure(error)) return { kind: 'over', reason: error.message };\n    throw error;\n  }\n}\n\nfunction referenceOf",
      tests: ['test/gitlab/jobs/pipelines.test.ts', 'test/gitlab/jobs/lock-holder.test.ts'],
    },
    {
      id: 'a lock’s job that is not in its pipeline is over',
      find: '  if (holder === undefined) return unknown(`pipeline',
      replace: '  if (holder === undefined) return gone(`pipeline',
      tests: ['test/gitlab/jobs/lock-holder.test.ts'],
    },
    {
      id: 'provisions that are not listed never failed',
      find: "jobs.length === 0 ? 'unknown' : endingsOf(jobs)",
      replace: 'endingsOf(jobs)',
      tests: ['test/gitlab/jobs/stage-jobs.test.ts'],
    },
  ]),
];
