import { type Mutant, mutantsOf } from '../mutant.ts';

/** What an answer of GitLab’s has to hold before it is believed. */
export const answers: readonly Mutant[] = [
  ...mutantsOf('src/adapters/gitlab/runners/registration.ts', [
    {
      id: 'what is no id of GitLab’s reaches its path',
      find: '  if (/^[1-9]\\d{0,14}$/.test(id)) return Number(id);',
      replace: "  if (id !== '') return Number(id);",
      tests: ['test/gitlab/believed-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/runners/registry.ts', [
    {
      id: 'a runner of a project is one of the instance',
      find: "      return details.runner_type === 'instance_type';",
      replace: "      return details.runner_type !== '';",
      tests: ['test/gitlab/believed-words.test.ts'],
    },
    {
      id: 'a manager’s word about jobs is dropped',
      find: '      execution: manager.job_execution_status,\n',
      replace: "      execution: 'idle',\n",
      tests: [
        'test/gitlab/runners/registry.test.ts',
        'test/gitlab/runners/registry-contract.test.ts',
      ],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/stage-jobs.ts', [
    {
      id: 'a canceling job has ended',
      find: "const over: ReadonlySet<string> = new Set(['success', 'failed', 'canceled', 'skipped']);",
      replace:
        "const over: ReadonlySet<string> = new Set(['success', 'failed', 'canceled', 'skipped', 'canceling']);",
      tests: ['test/gitlab/runners/registry.test.ts', 'test/gitlab/jobs/moving-jobs.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/jobs/runner-jobs.ts', [
    {
      id: 'what was listed as failed and has another status has failed',
      find: 'found.filter((job) => job.status === status)',
      replace: 'found.filter((job) => job.status !== null)',
      tests: ['test/gitlab/jobs/finished-jobs.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/runners/registry-probe.ts', [
    {
      id: 'a token that is not active is good enough',
      find: "token.active === false ? missing('token', `it is not active: ${text}`) : granted('token', text);",
      replace: "granted('token', text);",
      tests: ['test/gitlab/runners/registry-probe.test.ts'],
    },
    {
      id: 'a scope that the token has not is granted',
      find: "      if (scopes.includes('api')) return granted(what, 'included in api');",
      replace: "      if (scopes.length > 0) return granted(what, 'included in api');",
      tests: ['test/gitlab/runners/registry-probe.test.ts'],
    },
    {
      id: 'a Maintainer of the group is its Owner',
      find: "const needed = scope.kind === 'group' ? 50 : 40;",
      replace: "const needed = scope.kind === 'group' ? 40 : 40;",
      tests: ['test/gitlab/runners/registry-probe.test.ts'],
    },
    {
      id: 'a runner of projects that nobody sees can be removed',
      find: "  if (places.hidden !== 'unknown' && places.hidden > 0)",
      replace: "  if (places.hidden !== 'unknown' && places.hidden < 0)",
      tests: [
        'test/gitlab/runners/registry-probe.test.ts',
        'test/gitlab/runners/assignments.test.ts',
      ],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/listing.ts', [
    {
      id: 'a list that does not say whether it goes on has ended',
      find: '  if (next === undefined) return `page ${page} does not say whether there is another`;\n',
      replace: "  if (next === undefined) return headers['x-none'];\n",
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
    {
      id: 'a page that is cut short is whole',
      find: "  if (next !== '' && found < size) return",
      replace: "  if (next !== '' && found > size) return",
      tests: ['test/gitlab/runners/registry.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/runners/registry-writes.ts', [
    {
      id: 'a token is not masked from the moment it exists',
      find: '  client.redactor.add(registration.token);\n',
      replace: '',
      tests: ['test/gitlab/believed-words.test.ts'],
    },
    {
      id: 'a token that was reset is not masked',
      find: '  client.redactor.add(reset.token);\n',
      replace: '',
      tests: ['test/gitlab/believed-words.test.ts'],
    },
    {
      id: 'GitLab’s maintenance is no refusal of writes',
      find: "    if (error.kind === 'read_only') return",
      replace: "    if (error.kind === 'denied') return",
      tests: ['test/gitlab/believed-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/runners/places.ts', [
    {
      id: 'projects that GitLab does not count are none',
      find: "hidden: count === undefined ? 'unknown' : Math.max(0, count - seen.length),",
      replace: 'hidden: count === undefined ? 0 : Math.max(0, count - seen.length),',
      tests: ['test/gitlab/believed-words.test.ts'],
    },
    {
      id: 'a runner that the token may not see is in no project',
      find: "    if (!isNotFound(error, 'route')) throw error;",
      replace:
        "    if (isNotFound(error, 'runner')) return [];\n    if (!isNotFound(error, 'route')) throw error;",
      tests: ['test/gitlab/believed-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/version.ts', [
    {
      id: 'a text that is no version is a new one',
      find: '  if (ofMajor === undefined || ofMinor === undefined) return true;',
      replace: '  if (ofMajor === undefined || ofMinor === undefined) return false;',
      tests: ['test/gitlab/believed-words.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/gitlab/requester.ts', [
    {
      id: 'a page that is not JSON is an empty answer',
      find: '  if (json === undefined) {',
      replace: '  if (json === null && body !== body) {',
      tests: ['test/gitlab/runners/registry-answers.test.ts'],
    },
    {
      id: 'a write whose answer is no JSON changed nothing',
      find: "const effect = mayChange(request) ? 'unknown' : 'none';",
      replace: "const effect = mayChange(request) ? 'none' : 'none';",
      tests: [
        'test/gitlab/runners/registry-answers.test.ts',
        'test/gitlab/runners/registry-writes.test.ts',
      ],
    },
  ]),
];
