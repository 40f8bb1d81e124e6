import { type Mutant, mutantsOf } from '../mutant.ts';

/** What GitLab says, taken for more than it says. */
export const gitlab: readonly Mutant[] = [
  ...mutantsOf('src/adapters/gitlab/not-found.ts', [
    {
      id: 'anybody’s 404 says that a runner is gone',
      find: 'runner: /^404 (?:Not found|Runner Not Found)$/',
      replace: 'runner: /^/',
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/visibility.ts', [
    {
      id: 'a runner is gone to a token that may not look',
      find: "    await proveSight(client, scope);\n    return { kind: 'absent' };",
      replace: "    void proveSight;\n    return { kind: 'absent' };",
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/runners/registration.ts', [
    {
      id: 'a word about jobs that nobody knows is idle',
      find: "word === 'active' || word === 'idle' ? word : 'unknown'",
      replace: "word === 'active' || word === 'idle' ? word : 'idle'",
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
    {
      id: 'a runner was contacted that never was',
      find: 'contacted: details.contacted_at !== null,',
      replace: 'contacted: details.paused || details.contacted_at !== null,',
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/runners/registry.ts', [
    {
      id: 'a runner of a group above ours is ours',
      find: 'groups.some((group) => group.id === scope.groupId))',
      replace: 'groups.some((group) => group.id > 0))',
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
    {
      id: 'a runner whose description begins like ours is ours',
      find: 'description === shardDescription(shard)',
      replace: 'description?.startsWith(shardDescription(shard)) === true',
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/runners/registry-writes.ts', [
    {
      id: 'a pause that GitLab has not made is believed',
      find: '  if (!wanted.isDone(details)) {',
      replace: '  if (!wanted.isDone(details) && details === undefined) {',
      tests: ['test/gitlab/runners/registry-writes.test.ts'],
    },
    {
      id: 'tags are compared by their number',
      find: 'set.size === new Set(other).size && other.every((tag) => set.has(tag))',
      replace: 'set.size === new Set(other).size',
      tests: ['test/gitlab/runners/registry-writes.test.ts'],
    },
    {
      id: 'a new registration takes untagged jobs at once',
      find: '    runUntagged: false,\n    tagList',
      replace: '    runUntagged: settings.runUntagged,\n    tagList',
      tests: ['test/gitlab/runners/registry-writes.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/runner-jobs.ts', [
    {
      id: 'a job whose status nobody knows has ended',
      find: "      if (!isOver(job.status ?? '')) jobs",
      replace: '      if (isAlive(job.status)) jobs',
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/job-sight.ts', [
    {
      id: 'a guest of the group sees every job',
      find: 'if (level < reporter) return unproven;',
      replace: 'if (level < 0) return unproven;',
      tests: ['test/gitlab/jobs/job-sight.test.ts'],
    },
    {
      id: 'an administrator without admin mode sees every job',
      find: "      await client.raw.get('runners/all', { searchParams: { per_page: 1 } });\n",
      replace: '',
      tests: ['test/gitlab/jobs/job-sight.test.ts'],
    },
    {
      id: 'whatever GraphQL says is idle',
      find: "word === 'IDLE' ? 'idle' : 'unknown'",
      replace: "word !== undefined ? 'idle' : 'unknown'",
      tests: ['test/gitlab/jobs/job-sight.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/listing.ts', [
    {
      id: 'an item that was listed twice is one that was listed',
      find: '  if (new Set(items.map((item) => item.id)).size === items.length) {',
      replace: '  if (items.length >= 0) {',
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
    {
      id: 'a list that does not add up is a list',
      find: "    if (gap !== undefined) return { kind: 'incomplete', gap };",
      replace: "    if (gap === '') return { kind: 'incomplete', gap };",
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/pipelines.ts', [
    {
      id: 'a pipeline whose jobs are hidden is over',
      find: '  if (jobs.length === 0) return unlisted(name);\n',
      replace: '',
      tests: ['test/gitlab/jobs/pipelines.test.ts'],
    },
    {
      id: 'a pipeline that may not be seen was deleted',
      find: '    await readOne(client, project, { schema: projectName });\n',
      replace: '',
      tests: ['test/gitlab/jobs/pipelines.test.ts'],
    },
    {
      id: 'a lock’s job that runs is over',
      find: '  if (jobId !== own && !isOver(holder.status))',
      replace: '  if (jobId === own && !isOver(holder.status))',
      tests: ['test/gitlab/jobs/lock-holder.test.ts'],
    },
    {
      id: 'a job of another pipeline speaks for the lock’s owner',
      find: '  if (holder.pipeline?.id !== reference.pipelineId) {',
      replace: '  if (holder.pipeline === undefined) {',
      tests: ['test/gitlab/jobs/lock-holder.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/stage-jobs.ts', [
    {
      id: 'a canary keeps its pipeline alive',
      find: "  return name.includes('hosted_runner_') && !isCanary(name);",
      replace: "  return name.includes('hosted_runner_');",
      tests: ['test/gitlab/jobs/pipelines.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/runners/assignments.ts', [
    {
      id: 'a runner is taken from the project that owns it',
      find: '  return seen.filter((each) => each !== own);',
      replace: '  return own === undefined ? [] : seen;',
      tests: ['test/gitlab/runners/assignments.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/refusal-ground.ts', [
    {
      id: 'a call that no fine-grained token may make asks for a permission',
      find: "  if (unsupported.test(words)) return { kind: 'no_fine_grained_token', of: 'call' };\n",
      replace: '',
      tests: ['test/gitlab/refusal-ground.test.ts'],
    },
  ]),
];
