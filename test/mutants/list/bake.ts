import { mutantsOf } from '../mutant.ts';

const tests = ['test/domain/bake/judge-bake.test.ts', 'test/domain/bake/judge-end.test.ts'];
const starvation = ['test/domain/bake/judge-starvation.test.ts'];

/** What becomes of a promoted shard that is watched. */
export const bake = [
  ...mutantsOf('src/domain/bake/latency.ts', [
    {
      id: 'two bad looks are a verdict',
      find: 'export const badLooks = 3;',
      replace: 'export const badLooks = 2;',
      tests,
    },
  ]),
  ...mutantsOf('src/domain/bake/judge-bake.ts', [
    {
      id: 'faults in doubt make a shard healthy where no job is wanted',
      find: '(jobs === 0 && last.finished === 0)',
      replace: 'jobs === 0',
      tests,
    },
    {
      id: 'silence adds to a row of bad looks',
      find: "const answers = said.filter(({ reading }) => reading.value !== 'unknown');",
      replace: 'const answers = said;',
      tests,
    },
    {
      id: 'a good look between bad ones ends no row',
      find: 'const bad = answers.slice(good + 1);',
      replace: "const bad = answers.filter(({ reading }) => reading.value !== 'good' || good < 0);",
      tests,
    },
    {
      id: 'a signal without an answer is good enough',
      find: "return value === 'good' ? [] : [`${signal}: ${detail}`];",
      replace: "return value !== 'bad' ? [] : [`${signal}: ${detail}`];",
      tests,
    },
    {
      id: 'a shard of which nobody says anything is healthy',
      find: '    ...(required.length > 0 || last.finished > 0',
      replace: '    ...(required.length >= 0 || last.finished > 0',
      tests: ['test/domain/bake/judge-nothing.test.ts'],
    },
    {
      id: 'no job is a good word of the jobs',
      find: 'required.length > 0 || last.finished > 0',
      replace: 'required.length > 0 || last.finished >= 0',
      tests: ['test/domain/bake/judge-nothing.test.ts'],
    },
    {
      id: 'too few jobs are enough',
      find: '    ...(last.finished < jobs\n',
      replace: '    ...(last.finished < Math.min(jobs, 1)\n',
      tests,
    },
    {
      id: 'faults that may be chance are healthy',
      find: "...(last.faults.kind === 'usual' ||",
      replace: "...(last.faults.kind !== 'unhealthy' ||",
      tests,
    },
    {
      id: 'a row that has begun is cut off at the end of the watching',
      find: '  if (begun !== undefined && isFollowed) return',
      replace: '  if (begun !== undefined && !isOver) return',
      tests,
    },
    {
      id: 'a row that has begun is lost with one look without an answer',
      find: 'const begun = required.find(({ row }) => row.looks > 0);',
      replace: "const begun = required.find(({ reading }) => reading.value === 'bad');",
      tests,
    },
    {
      id: 'a row is followed for ever',
      find: '  if (begun !== undefined && isFollowed) return',
      replace: '  if (begun !== undefined) return',
      tests,
    },
    {
      id: 'a row is followed by what was bad before it',
      find: "      if (value === 'good') bad.delete(signal);\n",
      replace: '',
      tests,
    },
    {
      id: 'a shard is healthy before its time is over',
      find: 'const isWatchedLongEnough = sincePromotedMs >= (settings.forMs ?? 0);',
      replace: 'const isWatchedLongEnough = sincePromotedMs >= 0;',
      tests,
    },
    {
      id: 'a signal counts before it has held as long as it has to',
      find: 'lastedMs >= (latest.heldMs ?? 0)',
      replace: 'lastedMs >= Math.min(latest.heldMs ?? 0, 0)',
      tests,
    },
    {
      id: 'a canary of long ago proves a shard',
      find: '  return now - (asked?.at ?? 0) > ',
      replace: '  return now - (asked?.at ?? 0) > 1000 * ',
      tests,
    },
    {
      id: 'a canary that failed is not run again',
      find: "(last.reading.value === 'bad' && !last.row.isSettled)",
      replace: 'last.row.isSettled',
      tests,
    },
    {
      id: 'a canary that is only reported is run again for ever',
      find: ' && !last.row.isSettled',
      replace: '',
      tests,
    },
    {
      id: 'what is only reported decides',
      find: "const required = ofRequirement(looks, 'required');",
      replace:
        "const required = [...ofRequirement(looks, 'required'), ...ofRequirement(looks, 'report')];",
      tests,
    },
  ]),
  ...mutantsOf('src/domain/bake/judge-failures.ts', [
    {
      id: 'one script that a customer has broken is held against a shard',
      find: '    distinct(failed) >= 2 &&',
      replace: '    distinct(failed) >= 1 &&',
      tests: ['test/domain/bake/judge-failures.test.ts'],
    },
    {
      id: 'what failed before as well is held against a shard',
      find: 'const usual = upperBound(failedBefore.length, past.length);',
      replace: 'const usual = upperBound(0, past.length);',
      tests: ['test/domain/bake/judge-failures.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/bake/judge-starvation.ts', [
    {
      id: 'a job that waits is counted from the first look although others begin',
      find: 'Math.max(seenAt, memory.lastBegunAt ?? seenAt)',
      replace: 'seenAt',
      tests: starvation,
    },
    {
      id: 'a job that waits on a full shard is held against it',
      find: '  if (running > 0) {',
      replace: '  if (running > 1) {',
      tests: starvation,
    },
    {
      id: 'what waited before the first look is no reason to look longer',
      find: 'if (from(longest) > memory.firstLookAt)',
      replace: 'if (from(longest) >= memory.firstLookAt)',
      tests: starvation,
    },
    {
      id: 'a job that began to wait later is counted from the first look',
      find: 'seenAt: before?.waiting.get(job.id)?.seenAt ?? at',
      replace: 'seenAt: before?.waiting.get(job.id)?.seenAt ?? before?.firstLookAt ?? at',
      tests: starvation,
    },
  ]),
  ...mutantsOf('src/stages/bake/starvation.ts', [
    {
      id: 'jobs that the token may not list do not keep a shard from being starved',
      find: "return list === 'whole' || execution === 'idle' ? undefined : reason;",
      replace: "return list === 'whole' || execution !== 'active' ? undefined : reason;",
      tests: ['test/scenarios/bake/starvation.test.ts'],
    },
    {
      id: 'jobs of others are waited for',
      find: '  return tags.every((tag) => registration.tags.includes(tag));',
      replace: '  return tags.some((tag) => registration.tags.includes(tag));',
      tests: ['test/scenarios/bake/starvation.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/waiting-jobs.ts', [
    {
      id: 'a project that cannot be read has no job that waits',
      find: "    return { kind: 'unread', detail: error.message };",
      replace: "    return { kind: 'read', jobs: [] };",
      tests: ['test/gitlab/jobs/waiting-jobs.test.ts'],
    },
    {
      id: 'a job that was given to a runner waits for one',
      find: "status === 'pending' && !runner",
      replace: "status === 'pending' && (!runner || runner.id > 0)",
      tests: ['test/gitlab/jobs/waiting-jobs.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/bake/read-signals.ts', [
    {
      id: 'an answer that is not whole is good',
      find: '  return doubts.length > 0\n',
      replace: '  return doubts.length < 0\n',
      tests: ['test/scenarios/bake/signals.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/alarms/alarms.ts', [
    {
      id: 'an alarm that is not there is a good one',
      find: "state: 'absent', detail: 'there is no such alarm'",
      replace: "state: 'ok', detail: 'there is no such alarm'",
      tests: ['test/aws/alarms/alarms.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/bake/end-canary.ts', [
    {
      id: 'an adopted canary has all its time anew',
      find: '  if (!isAdopted) return limitMs;',
      replace: '  if (!isAdopted || limitMs > 0) return limitMs;',
      tests: ['test/scenarios/bake/end-canary.test.ts'],
    },
    {
      id: 'a shard that takes no canary any more is only unknown',
      find: "? { value: 'bad', detail: `${where} was not begun, and",
      replace: "? { value: 'unknown', detail: `${where} was not begun, and",
      tests: ['test/scenarios/bake/end-canary.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/health/serving-canary.ts', [
    {
      id: 'a bake leaves the tag of its canary behind',
      find: 'ensureCanaryTag(context, { shard, id, isThere: false }).catch(',
      replace: 'ensureCanaryTag(context, { shard, id, isThere: true }).catch(',
      tests: ['test/scenarios/bake/end-canary.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/signals/prometheus.ts', [
    {
      id: 'the token of Prometheus goes over plain http',
      find: '    secretless: authorization === undefined,',
      replace: '    secretless: true,',
      tests: ['test/signals/signals.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/signals/webhook.ts', [
    {
      id: 'a webhook that refuses us takes a shard back',
      find: ' && !ofTheAsker.has(status)',
      replace: ' && (ofTheAsker.has(status) || status > 0)',
      tests: ['test/signals/signals.test.ts'],
    },
  ]),
];
