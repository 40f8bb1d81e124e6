import { type Mutant, mutantsOf } from '../mutant.ts';

const evidence = ['test/scenarios/candidate/evidence.test.ts'];

const endings = ['test/scenarios/endings/ending-credentials.test.ts'];
const isOut = ' || endsRun(error)';

/** Workers of an autoscaler, listeners that are off, and credentials that end. */
export const workers: readonly Mutant[] = [
  ...mutantsOf('src/domain/plan/sweep-plan.ts', [
    {
      id: 'workers go before their manager has ended',
      find: 'const workers = isManaged ? all.filter(isWorker) : [];',
      replace: 'const workers: TaggedResource[] = [];',
      tests: ['test/scenarios/drain/orphaned-workers.test.ts'],
    },
    {
      id: 'workers stay when their manager has ended',
      find: 'const workers = isManaged ? all.filter(isWorker) : [];',
      replace: 'const workers = all.filter(isWorker);',
      tests: ['test/domain/deployment/sweep-plan.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/service/work-evidence.ts', [
    {
      id: 'workers of whom the runner tells nothing are none',
      find: 'if (reports.length === 0 || silent !== undefined)',
      replace: 'if (reports.length === 0 || false)',
      tests: evidence,
    },
    {
      id: 'one idle worker too few is enough',
      find: 'if (idle >= expected) return',
      replace: 'if (idle + 1 >= expected) return',
      tests: evidence,
    },
  ]),
  ...mutantsOf('src/adapters/aws/hosts/look-report.ts', [
    {
      id: 'slots that cannot be read are left out of the others',
      find: 'if (lines.length === 0 || lines.includes(null)) return undefined;',
      replace: 'if (lines.length === 0) return undefined;',
      tests: ['test/aws/scripts/host-words.test.ts'],
    },
    {
      id: 'a listener that answers late is off',
      find: "return output.first('jobs_code') === '7';",
      replace: "return output.first('jobs_code') !== '0';",
      tests: ['test/aws/scripts/look/look-script.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/inventory/instances.ts', [
    {
      id: 'a machine without the shard’s tags is in its inventory',
      find: 'return found.filter(({ tags }) => isTagged(tags, keys, shard));',
      replace: 'return found.filter(({ tags }) => keys !== undefined && tags !== undefined);',
      tests: ['test/aws/whose-cloud.test.ts'],
    },
    {
      id: 'a manager is a worker of its own',
      find: "tags['Name'] !== manager && state !== 'terminated'",
      replace: "state !== 'terminated'",
      tests: ['test/aws/cloud.test.ts'],
    },
    {
      id: 'a worker that is terminated is still there',
      find: "tags['Name'] !== manager && state !== 'terminated'",
      replace: "tags['Name'] !== manager",
      tests: ['test/aws/cloud.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/drain/listeners.ts', [
    {
      id: 'a listener that is off is told by nobody',
      find: "return isOff === 'off' ? id : undefined;",
      replace: 'return undefined;',
      tests: ['test/scenarios/prepare/listeners.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/drain/drain.ts', [
    {
      id: 'workers that outlive their manager are told by nobody',
      find: 'if (lost.length > 0) await tellOrphans(context, shard);',
      replace: '',
      tests: ['test/scenarios/drain/orphaned-workers.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/failure.ts', [
    {
      id: 'a role that nobody renews any more was never good',
      find: "const kind = isOver ? 'ended' : error.kind;",
      replace: 'const kind = error.kind;',
      tests: ['test/aws/access/id-token.test.ts'],
    },
    {
      id: 'an identity token that is given no more was never good',
      find: '(ends.test(facts.name) || givers.test(facts.name))',
      replace: 'ends.test(facts.name)',
      tests: ['test/aws/access/id-token.test.ts'],
    },
    {
      id: 'credentials that were never taken have ended',
      find: "error.kind === 'unauthenticated' && context.wereAccepted === true",
      replace: "error.kind === 'unauthenticated'",
      tests: ['test/aws/access/id-token.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/credentials.ts', [
    {
      id: 'a role is kept until it ends',
      find: 'const halfMs = (clock.now() + given.expiresAtMs) / 2;',
      replace: 'const halfMs = given.expiresAtMs;',
      tests: ['test/aws/access/renewed-credentials.test.ts'],
    },
    {
      id: 'credentials of which no renewal came have no end',
      find: 'endsAt: () => (failedAtMs === undefined ? undefined : session?.expiresAtMs),',
      replace: 'endsAt: () => undefined,',
      tests: ['test/aws/access/renewed-credentials.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/health/managers.ts', [
    {
      id: 'credentials that are out are a doubt about managers',
      find: isOut,
      replace: '',
      tests: endings,
    },
  ]),
  ...mutantsOf('src/stages/health/canary-evidence.ts', [
    {
      id: 'credentials that are out are a doubt about the canary',
      find: isOut,
      replace: '',
      tests: endings,
    },
  ]),
  ...mutantsOf('src/stages/health/host-evidence.ts', [
    {
      id: 'credentials that are out are the silence of a host',
      find: `${isOut}) throw error;\n          return { id`,
      replace: ') throw error;\n          return { id',
      tests: endings,
    },
  ]),
  ...mutantsOf('src/stages/removal/unregister.ts', [
    {
      id: 'credentials that are out leave a machine unknown',
      find: isOut,
      replace: '',
      tests: ['test/scenarios/github/github-removal.test.ts'],
    },
  ]),
];
