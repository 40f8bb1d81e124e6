import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import {
  mayRemove,
  shardToForceRemove,
} from '../../../src/domain/deployment/guards/removal-rules.ts';
import type { RemovalSnapshot } from '../../../src/domain/deployment/guards/removal-snapshot.ts';
import type { ShardEntry } from '../../../src/domain/deployment/record.ts';
import { allPhases, type Phase } from '../../../src/domain/deployment/stages-and-steps.ts';
import { stackSettings } from '../../fakes/builders.ts';
import { allowed } from '../../operator/recover/allowed-recovery.ts';
import { pollAt, stoppedHost, workingHost } from '../drain/drain-observations.ts';
import { jobOf, phasesFrom, pink, purple, recordAt, registrationOf } from '../samples.ts';

type Act = RemovalSnapshot['act'];
type Change = Readonly<Record<string, unknown>>;
/** Row: the closest other case, the change, and `rule: reason` or `may`. */
type Row = readonly [title: string, change: Change, verdict: string];

const inPhase = (phase: Phase) => ({ record: recordAt({ phase }) });
const withEntry = (entry: Partial<ShardEntry>) => ({ record: recordAt({}, { purple: entry }) });
const retired = { shard: pink, words: gitlabTerms };
const candidate = { ...allowed, ...withEntry({ unhealthyInARow: 2 }) };
const proven = { kind: 'proven', reason: 'a job began', ageMs: 0 };
const unknown = { kind: 'unknown', reason: 'no job began', open: true, against: false };
const busy = { kind: 'busy', reason: 'GitLab lists a job', jobs: [] };
const open = { kind: 'seen', paused: false, execution: 'idle' } as const;
const withJob = (...hosts: (typeof workingHost | typeof stoppedHost)[]) =>
  pollAt(0, { jobs: [jobOf()], hosts });
const pausedOn = (...hosts: readonly object[]) => ({
  pause: { by: 'outside hosted-runner', hosts, isWithoutMachines: false },
});
const use = 'runner 48213 of pink has production tags';
const forced = { forceWhenNoneAccepts: true };

/** Facts that allow each act. */
const bases: Readonly<Record<string, Change>> = {
  destroy: {
    ...{ ...retired, act: 'destroy', ...inPhase('drained'), settings: stackSettings() },
    registrations: [registrationOf({ description: 'pink-linux' })],
    ...{ use, other: proven, forceWhenNoneAccepts: false },
  },
  recheck: {
    ...{ ...retired, act: 'recheck', ...inPhase('drained') },
    ...{ observation: pollAt(0), managers: 1, isForced: false },
  },
  force_after: {
    ...{ ...retired, act: 'force_after', ...inPhase('draining') },
    ...{ drainVerdict: busy, drainsForMs: 600_000, forceAfterMs: 600_000 },
  },
  retreat: { ...candidate, act: 'retreat' },
  cleanup: { ...candidate, act: 'cleanup' },
  terminate: {
    ...{ ...allowed, act: 'terminate', shard: pink, active: purple, ...inPhase('draining') },
    ...{ tags: [], hiddenJob: 'unknown', isMachineNamed: true },
  },
  although_nothing_serves: {
    ...{ ...retired, act: 'although_nothing_serves', ...inPhase('draining') },
    ...{ service: { kind: 'closed', reason: 'it is paused' }, contactAgeMs: 301_000 },
    ...pausedOn(),
  },
};

const job = 'job 9 "build" of customers/shop is running on';
const unsaid = (shard: string) =>
  `jobs: it is unknown whether the runner of ${shard} runs a job that this token cannot see: GitLab does not report it, and none of its hosts responds`;
const once =
  'purple was found unhealthy once; required: twice in a row, or a manager that never contacted GitLab';
const contact = 'a manager contacted GitLab 5m ago';
const closed = 'process: pink was paused outside hosted-runner and';

const rows: Readonly<Record<string, readonly Row[]>> = {
  destroy: [
    ['the other shard was not checked', { other: undefined }, `other_serves: ${use}`],
    ['the other shard is not verified', { other: unknown }, `other_serves: ${use}`],
    ['customers would lose nothing', { use: undefined, other: undefined }, 'may'],
    ['an operator removes it with --although-nothing-serves', { other: unknown, ...forced }, 'may'],
    [
      'the record names a runner of the other shard',
      { registrations: [registrationOf()], ...forced },
      'owner: the record assigns runner 48214 to pink, but its description is "purple-linux"',
    ],
  ],
  recheck: [
    [
      'it was unpaused',
      { observation: pollAt(0, { registration: open }) },
      'open: the runner is not paused',
    ],
    ['a job has come', { observation: withJob(workingHost) }, 'jobs: job 9 "build" is running'],
    ['its hosts are gone', { observation: { ...withJob(), hostsGone: true } }, 'may'],
    [
      'its process has ended',
      { observation: withJob(stoppedHost) },
      'jobs: job 9 "build" is running',
    ],
    ['drain.force_after ended it', { observation: withJob(stoppedHost), isForced: true }, 'may'],
  ],
  force_after: [
    ['it is not set', { forceAfterMs: undefined }, 'force_after: drain.force_after has not passed'],
    ['it comes later', { drainsForMs: 599_999 }, 'force_after: drain.force_after has not passed'],
    [
      'no host runs the job',
      { drainVerdict: { ...busy, registryOnly: {} } },
      'jobs: no host runs a job: GitLab lists a job',
    ],
  ],
  retreat: [
    ['it is active', { active: purple, ...forced }, 'active: purple is the active shard'],
    [
      'GitLab lists a job',
      { jobs: [jobOf()] },
      `jobs: ${job} purple; it is not the canary of hosted-runner, so customers/shop itself requests the tag canary-1-200-linux`,
    ],
    ['its host runs a job', { hostJobs: 1 }, 'jobs: the host of purple reports 1 job'],
    ['an operator waits for its job', { jobs: [jobOf()], ...forced }, 'may'],
    [
      'it had production tags',
      { ...withEntry({ unhealthyInARow: 2, productionTag: true }), contacted: false },
      'served: purple had production tags but is not drained',
    ],
    ['it was unhealthy once', withEntry({ unhealthyInARow: 1 }), `healthy: ${once}`],
    ['no manager was there', { ...withEntry({ unhealthyInARow: 1 }), contacted: false }, 'may'],
  ],
  cleanup: [
    [
      'it runs a hidden job',
      { hiddenJob: 'yes' },
      'jobs: GitLab reports that the runner of purple runs a job that this token cannot see',
    ],
    ['no source reports its jobs', { hiddenJob: 'unknown' }, unsaid('purple')],
    [
      'its runner no longer exists, and no host answers',
      { hiddenJob: 'unknown', registrationGone: true },
      'jobs: the runner of purple no longer exists and none of its hosts responds: a job may still run there',
    ],
    [
      'it takes jobs',
      { quarantined: false },
      'quarantine: purple is neither in quarantine nor drained',
    ],
    ['it takes jobs, with --although-nothing-serves', { quarantined: false, ...forced }, 'may'],
    [
      'the CI reports a success',
      { lastJobs: ['success', 'failed'] },
      "healthy: the record counts 2 unhealthy verdicts in a row, but the CI's last two provision jobs ended with success and failed",
    ],
    ['its token is lost', { lastJobs: ['success', 'failed'], tokenLost: true }, 'may'],
  ],
  terminate: [
    ['its machine is not named', { isMachineNamed: false }, unsaid('pink')],
    ['it does not drain', inPhase('promoted'), unsaid('pink')],
    ['another method is chosen', { act: 'replace' }, unsaid('pink')],
    ['its host runs a job', { hostJobs: 1 }, 'jobs: the host of pink reports 1 job'],
    ['a job is listed', { jobs: [jobOf()] }, `jobs: ${job} pink`],
    ['it is drained and unpaused', { quarantined: false, ...inPhase('drained') }, 'may'],
  ],
  although_nothing_serves: [
    ['it accepts jobs', { service: proven }, 'serves: pink accepts jobs: a job began'],
    ['its process runs', pausedOn(workingHost), `${closed} has a running process`],
    [
      'its process may run',
      { contactAgeMs: 300_000 },
      `${closed} may have a running process: ${contact}`,
    ],
    [
      'no source reports an end',
      { contactAgeMs: undefined },
      `${closed} no source confirms that its processes have ended`,
    ],
    ['its process has ended', { ...pausedOn(stoppedHost), contactAgeMs: undefined }, 'may'],
    [
      'its stop was begun',
      { contactAgeMs: undefined, record: recordAt({ phase: 'drained', stoppingAt: 'today' }) },
      'may',
    ],
    [
      'it is unpaused and had a contact',
      { pause: undefined, service: unknown, contactAgeMs: 300_000 },
      `contact: pink may accept jobs: ${contact}; it can be removed after 5m without contact`,
    ],
    ['it is unpaused and without a contact', { pause: undefined, service: unknown }, 'may'],
  ],
};

const judge = (act: string, change: Change) =>
  mayRemove({ ...bases[act], ...change } as unknown as RemovalSnapshot);

describe.each(Object.entries(rows))('a shard and the rules of %s', (act, cases) => {
  test(`allow ${act} if all of them hold`, () => {
    expect(judge(act, {}).may).toBe(true);
  });

  test.each(cases)(`decide on ${act} if %s`, (_, change, expected) => {
    const verdict = judge(act, change);
    expect(verdict.may ? 'may' : `${verdict.rule}: ${verdict.reason}`).toBe(expected);
  });
});

describe('the phase in which a part of a shard may be removed', () => {
  const phasesOf = (act: Act, change: Change = {}): readonly Phase[] =>
    allPhases.filter((phase) => judge('destroy', { act, ...change, ...inPhase(phase) }).may);
  const drained = phasesFrom('drained', 'done');

  test.each<Act>(['stop', 'deregister', 'destroy'])('%s needs a drain, or a retreat', (act) => {
    expect(phasesOf(act)).toEqual(drained);
    expect(phasesOf(act, { shard: purple, registrations: [] })).toEqual(['retreating']);
  });

  test('kill needs a drain that has begun', () => {
    expect(phasesOf('kill')).toEqual(['draining', ...drained]);
  });

  test('change is allowed in every phase', () => {
    expect(phasesOf('change')).toEqual(allPhases);
  });
});

test.each<[Phase, string]>([
  ['healthy', 'purple'],
  ['promoting', 'pink'],
  ['drained', 'pink'],
])('--although-nothing-serves removes, in %s with an active purple: %s', (phase, taken) => {
  const shards = [pink, purple] as const;
  expect(shardToForceRemove(recordAt({ phase }), { active: purple, shards })).toBe(taken);
});
