import { type Mutant, mutantsOf } from '../mutant.ts';

/** Which job is the canary, and what became of it. */
export const canaries: readonly Mutant[] = [
  ...mutantsOf('src/stages/health/own-canaries.ts', [
    {
      id: "a customer's job with our canary's name is our canary",
      find: 'for (const { id } of jobs) if (!canaries.has(id)) customers.add(id);',
      replace:
        "for (const one of jobs) if (!canaries.has(one.id) && (one as { name?: string }).name !== 'hosted_runner_canary') customers.add(one.id);",
      tests: ['test/stages/own-canaries.test.ts'],
    },
    {
      id: 'our own canary is a customer’s job',
      find: 'return jobs.filter(({ id }) => customers.has(id));',
      replace: 'return [...jobs];',
      tests: ['test/stages/own-canaries.test.ts'],
    },
    {
      id: 'a canary that the record keeps is forgotten',
      find: 'new Set(recordedCanaries(context))',
      replace: 'new Set<string>()',
      tests: ['test/stages/own-canaries.test.ts'],
    },
    {
      id: 'canaries of the deployment that the record names are customers’ jobs',
      find: 'for (const one of [undefined, ...others])',
      replace: 'for (const one of [undefined, ...others.slice(1)])',
      tests: ['test/stages/own-canaries.test.ts'],
    },
    {
      id: 'a job that came since is not asked about',
      find: 'if (jobs.some(({ id }) => !customers.has(id) && !canaries.has(id)))',
      replace: 'if (customers.size === 0 && canaries.size === 0)',
      tests: ['test/stages/own-canaries.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/job.ts', [
    {
      id: 'a canary of an unknown status has succeeded',
      find: "canaryStatus[found.status] ?? 'unknown'",
      replace: "canaryStatus[found.status] ?? 'success'",
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
    {
      id: 'a canary that was skipped waits',
      find: "  skipped: 'canceled',\n",
      replace: "  skipped: 'waiting',\n",
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
    {
      id: 'the oldest canary is the newest',
      find: 'each.id > latest.id ? each : latest',
      replace: 'each.id < latest.id ? each : latest',
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/not-found.ts', [
    {
      id: 'a job of a project that may not be seen is none',
      find: 'record: /^404 Not found$/',
      replace: 'record: /^404 /',
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/job-start.ts', [
    {
      id: 'a canary whose start was not answered is started again',
      find: '    if (started === undefined) throw error;\n    return started;',
      replace: '    return started ?? (await options.start());',
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
    {
      id: 'a canary that the token may not start has a token that is wrong',
      find: "  if (failure.kind !== 'unauthenticated') return failure;",
      replace: "  if (failure.kind === 'unauthenticated') return failure;",
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/job-cancel.ts', [
    {
      id: 'a refused cancel of a job that runs on is one that was made',
      find: 'if (!refused || !isSettled((await readJob(client, place, id)).status)) throw error;',
      replace: 'if (!refused) throw error;',
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
    {
      id: 'a job of an unknown status need not be cancelled',
      find: 'jobs.filter((each) => !isSettled(each.status))',
      replace: "jobs.filter((each) => each.status === 'pending' || each.status === 'running')",
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/canary/canary-job.ts', [
    {
      id: 'a canary that waits for onboard is cancelled',
      find: "found.filter(({ status }) => of !== undefined || status !== 'created')",
      replace: "found.filter(({ status }) => of !== undefined || status !== '')",
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
    {
      id: 'a manual canary that was not pressed has begun',
      find: "last.status === 'manual' && found.status !== 'manual' ? found : undefined",
      replace: "last.status === 'manual' ? found : undefined",
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
    {
      id: 'the canary of another project is looked for in ours',
      find: 'if (pipelineOfDeployment(deployment)?.projectId !== projectId) return [];',
      replace: 'if (pipelineOfDeployment(deployment) === undefined) return [];',
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/canary/pipeline-canary.ts', [
    {
      id: 'a job with the canary’s tag is the canary whatever its name',
      find: 'all.filter((each) => isNamedAs(each.name, jobName) && isTagged(each, tag))',
      replace: "all.filter((each) => jobName !== '' && isTagged(each, tag))",
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
    {
      id: 'a job with the canary’s name is the canary whatever its tag',
      find: 'all.filter((each) => isNamedAs(each.name, jobName) && isTagged(each, tag))',
      replace: "all.filter((each) => isNamedAs(each.name, jobName) && tag !== '')",
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
    {
      id: 'a pipeline whose jobs are hidden has no canary',
      find: '  if (all.length === 0) throw unreadableJobs(projectId, pipelineId);\n',
      replace: '',
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/github/runs/run-names.ts', [
    {
      id: 'a canary behind a hundred younger runs is none',
      find: '|| oldest.id <= newestKnown) break;',
      replace: '|| oldest.id >= newestKnown) break;',
      tests: ['test/github/runs/long-lists.test.ts'],
    },
    {
      id: 'a run of any event may be a canary',
      find: "(event ?? 'workflow_dispatch') === 'workflow_dispatch'",
      replace: "(event ?? 'workflow_dispatch') !== ''",
      tests: ['test/github/runs/long-lists.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/canary/canary-project.ts', [
    {
      id: 'an hour between two clocks hides a canary',
      find: 'Date.parse(createdAt) - clocksApartMs',
      replace: 'Date.parse(createdAt) + clocksApartMs',
      tests: ['test/gitlab/jobs/canary-project.test.ts'],
    },
    {
      id: 'an older canary is the one that was just begun',
      find: 'found !== undefined && found.id > id ? found : undefined',
      replace: 'found !== undefined && id >= 0 ? found : undefined',
      tests: ['test/gitlab/jobs/stage-jobs.test.ts'],
    },
    {
      id: 'an older GitLab is given inputs that it drops',
      find: 'Number(major) < 17 || (Number(major) === 17 && Number(minor) < 10)',
      replace: 'Number(major) < 17',
      tests: ['test/gitlab/jobs/canary-project.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/canary/canary-tag.ts', [
    {
      id: 'two deployments have one canary’s tag',
      find: '  return `${clean.slice(0, maxLength)}-${digest}`;',
      replace: "  return digest === '' ? wanted : clean.slice(0, maxLength);",
      tests: ['test/gitlab/jobs/canary-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/health/serving-canary.ts', [
    {
      id: 'a canary writes the tags of the configuration over those of a person',
      find: 'tags.filter((tag) => tag !== canary.tag)',
      replace: 'context.settings.registration.tags.slice(0, tags.length)',
      tests: ['test/scenarios/bake/end-canary.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/canary/canary-log.ts', [
    {
      id: 'a token of something else makes the canary inconclusive',
      find: 'isOurs(name) || secrets.includes(name)',
      replace: 'true',
      tests: ['test/gitlab/jobs/canary-log.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/health/canary.ts', [
    {
      id: 'a canary that was given a secret counts against the candidate',
      find: 'if (job.exposed !== undefined)',
      replace: 'if (job.exposed !== undefined && job.status === undefined)',
      tests: ['test/scenarios/candidate/unhealthy.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/canary/canary-secrets.ts', [
    {
      id: 'GITLAB_TOKEN is probed beside the token that is used',
      find: 'Boolean(environment[name]) && !isOthers(name)',
      replace: 'Boolean(environment[name])',
      tests: ['test/gitlab/jobs/canary-secrets.test.ts'],
    },
    {
      id: 'a token with an environment scope is said to reach the canary',
      find: "'filter[environment_scope]': '*'",
      replace: "'filter[scope]': '*'",
      tests: ['test/gitlab/jobs/canary-secrets.test.ts'],
    },
    {
      id: 'a project that is not seen has no unscoped token',
      find: "isNotFound(error, 'variable')",
      replace: 'isRefusal(error, 404)',
      tests: ['test/gitlab/jobs/canary-secrets.test.ts'],
    },
  ]),
];
