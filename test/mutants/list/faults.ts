import { mutantsOf } from '../mutant.ts';

/** How customers' jobs are judged. */
export const faults = [
  ...mutantsOf('src/domain/health/fault-rate.ts', [
    {
      id: 'one fault of the runner is a row',
      find: 'const leastFaults = 2;',
      replace: 'const leastFaults = 1;',
      tests: ['test/domain/health/fault-rate.test.ts'],
    },
    {
      id: 'what the old shard had does not raise the baseline',
      find: ' ? baseline : Math.max(baseline, upperBound(had.faults, had.jobs));',
      replace: ' ? baseline : Math.min(baseline, upperBound(had.faults, had.jobs));',
      tests: ['test/domain/health/fault-rate.test.ts'],
    },
    {
      id: 'too few jobs are as usual',
      find: "return chance < unsurprising ? 'open' : 'usual';",
      replace: "return chance < alpha ? 'open' : 'usual';",
      tests: ['test/domain/health/fault-rate.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/health/runner-faults.ts', [
    {
      id: 'faults of one customer alone take a shard back',
      find: '    count.origins.size >= 2 &&',
      replace: '    count.origins.size >= 1 &&',
      tests: ['test/domain/health/runner-faults.test.ts'],
    },
    {
      id: 'an old shard that was bad makes a bad one healthy',
      find: "if (isAsBefore && judgeCount(last, rates) === 'too_many')",
      replace: "if (isAsBefore && judgeCount(last, limits) === 'too_many')",
      tests: ['test/domain/health/runner-faults.test.ts'],
    },
    {
      id: 'what breaks on both shards is held against the new one',
      find: 'Math.abs(end - other) <= sharedCauseMs',
      replace: 'Math.abs(end - other) < 0',
      tests: ['test/domain/health/runner-faults.test.ts'],
    },
    {
      id: 'each job that one cause breaks is a fault',
      find: 'const oneCauseMs = 60_000;',
      replace: 'const oneCauseMs = 0;',
      tests: ['test/domain/health/runner-faults.test.ts'],
    },
    {
      id: 'a mistyped image counts again whenever it is tried',
      find: 'const isNew = !isAgain && ',
      replace: 'const isNew = (isAgain || !isAgain) && ',
      tests: ['test/domain/health/runner-faults.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/health/runner-faults.ts', [
    {
      id: 'the oldest job that is listed is judged as if it were the first',
      find: "unlisted === 'unknown' ? 0 : unlisted;",
      replace: "unlisted === 'unknown' ? 0 : unlisted * 0;",
      tests: ['test/domain/health/runner-faults.test.ts'],
    },
    {
      id: 'a start that nobody knows is judged as if it were the switch',
      find: "if (crossed !== undefined && unlisted === 'unknown')",
      replace: "if (crossed !== undefined && unlisted === 'unknown' && jobs.length === 0)",
      tests: ['test/domain/health/runner-faults.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/health/job-history.ts', [
    {
      id: 'failures of a time whose successes are hidden are listed among the others',
      find: 'const isOlder = ({ id }: FinishedJob) => Number(id) < from;',
      replace: 'const isOlder = ({ id }: FinishedJob) => Number(id) < Math.min(from, 0);',
      tests: ['test/domain/health/job-history.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/job-history.ts', [
    {
      id: 'a job that ended late behind many known ones is never seen',
      find: 'if (jobs.size + known.unlisted === total)',
      replace: 'if (jobs.size + known.unlisted <= total)',
      tests: ['test/gitlab/jobs/finished-jobs.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/switch/observe-customers.ts', [
    {
      id: 'a candidate that fails customers’ jobs is promoted',
      find: "    if (faults.kind === 'unhealthy')",
      replace: "    if (faults.kind === 'unhealthy' && jobs.length < wanted)",
      tests: ['test/scenarios/candidate/customers-prove.test.ts'],
    },
    {
      id: 'a candidate whose jobs leave it in doubt is promoted',
      find: "    if (faults.kind === 'inconclusive')",
      replace: "    if (faults.kind === 'inconclusive' && jobs.length < wanted)",
      tests: ['test/scenarios/candidate/customers-prove.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/drain/promoted-faults.ts', [
    {
      id: 'faults are held against a shard while nobody can list those of the other one',
      find: '? await customersOn(using, retiring) : nothing;',
      replace: '? ((await customersOn(using, retiring)) ?? nothing) : nothing;',
      tests: ['test/scenarios/bake/unlocked-watch.test.ts'],
    },
    {
      id: 'what the old shard breaks in its drain is its past for whoever comes later',
      find: 'return found && endedBefore(found.jobs, at);',
      replace: 'return found?.jobs;',
      tests: ['test/scenarios/bake/shared-cause.test.ts'],
    },
    {
      id: 'an outage that both shards’ hosts see takes back a shard whose other one is drained',
      find: '    if (outage === undefined) return verdict;',
      replace: "    if (outage === undefined || verdict.kind === 'unhealthy') return verdict;",
      tests: ['test/scenarios/bake/shared-outage.test.ts'],
    },
    {
      id: 'canaries of other runs are customers’ jobs',
      find: 'return withoutAnyCanary(context, await customersAmong(context, jobs));',
      replace: 'return customersAmong(context, jobs);',
      tests: ['test/scenarios/bake/canaries-of-runs.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/drain/promoted-jobs.ts', [
    {
      id: 'a promoted shard that fails its jobs is not told of',
      find: "      if (found?.verdict.kind !== 'unhealthy') return;",
      replace: "      if (found?.verdict.kind !== 'unhealthy' || found.jobs.length > 0) return;",
      tests: ['test/scenarios/service/promoted-jobs.test.ts'],
    },
    {
      id: 'a promoted shard is told of again at every look',
      find: '      isTold = true;',
      replace: '      isTold = found.jobs.length === 0;',
      tests: ['test/scenarios/service/promoted-jobs.test.ts'],
    },
    {
      id: 'a promoted shard is watched although nobody asked for it',
      find: "settings.bake.onUnhealthy === 'report' && isOurs",
      replace: 'settings.bake.onUnhealthy !== undefined && isOurs',
      tests: ['test/scenarios/service/promoted-jobs.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/runner-jobs.ts', [
    {
      id: 'failures that are older than the listed successes count among them',
      find: '(job) => Number(job.id) >= from)',
      replace: '(job) => Number(job.id) >= Math.min(from, 0))',
      tests: ['test/gitlab/jobs/finished-jobs.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/bake/health-signal.ts', [
    {
      id: 'what both shards lack is the fault of the new one',
      find: '      if (shared !== undefined) {',
      replace: '      if (shared === open.detail) {',
      tests: ['test/scenarios/bake/outside/shared-health.test.ts'],
    },
    {
      id: 'whatever the old shard lacks excuses the new one',
      find: ' || open?.kind !== kind) return undefined;',
      replace: ' || open === undefined) return undefined;',
      tests: ['test/scenarios/bake/outside/shared-health.test.ts'],
    },
    {
      id: 'what both shards lacked once excuses the new one for ever',
      find: ' && elapsed() - lacked.at <= sharedCauseMs;',
      replace: ';',
      tests: ['test/scenarios/bake/outside/shared-health.test.ts'],
    },
    {
      id: 'what ends for both has to end for both at once',
      find: 'lacked?.kind === open.kind && ',
      replace: 'lacked?.at === 0 && ',
      tests: ['test/scenarios/bake/outside/shared-health.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/bake/read-signals.ts', [
    {
      id: 'a canary that fails in an outage of both shards is bad',
      find: "  return outage === undefined ? said : { value: 'unknown'",
      replace: "  return outage === undefined ? said : { value: 'bad'",
      tests: ['test/scenarios/bake/outside/shared-health.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/drain/customer-jobs.ts', [
    {
      id: 'a canary of a run before is a customer that has waited',
      find: 'withoutAnyCanary(context, finished ?? [])',
      replace: '(finished ?? [])',
      tests: ['test/scenarios/pipelines/tally.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/drain/drain-tally.ts', [
    {
      id: 'a job beyond the ids that the record keeps is never lost',
      find: '  if (seenBeyond === 0) return known;',
      replace: '  if (seenBeyond >= 0) return known;',
      tests: ['test/scenarios/pipelines/tally-beyond.test.ts'],
    },
  ]),
];
