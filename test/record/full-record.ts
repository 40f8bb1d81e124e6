import type { DeploymentRecord } from '../../src/domain/deployment/record.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { recordAt } from '../domain/samples.ts';

const at = '2026-11-02T08:15:00.000Z';
const limit = { ms: 600_000, from: '--set', by: 'kim', job: '77' };

/** Record with every field. */
export const fullRecord: DeploymentRecord = {
  ...recordAt(
    {
      pipelineUrl: 'https://gitlab.example.com/p/-/pipelines/200',
      statusVersion: 7,
      stoppingAt: at,
      bake: {
        since: at,
        forMs: 1000,
        until: at,
        ended: { verdict: 'healthy', at, why: 'enough jobs' },
      },
      autoRollback: { id: '1-100', at, why: 'two faults' },
      fingerprint: { settings: 'a', plan: 'b', images: 'c', commit: 'd' },
      reopened: { times: 2, at, why: 'purple serves nobody' },
      tally: {
        twoShardsSince: at,
        twoShardsMs: 1000,
        drain: {
          since: at,
          seen: ['900'],
          seenBeyond: 1,
          hidden: true,
          settled: true,
          broken: [{ id: '900', why: 'killed', url: 'https://gitlab.example.com/j/900' }],
          brokenBeyond: 1,
          longestWaitMs: 41_000,
          expectedAt: at,
          timeout: limit,
          forceAfter: limit,
        },
      },
    },
    {
      purple: {
        registration: '48214' as RegistrationId,
        tokenWritten: true,
        contacted: true,
        highestWorkerBeforeApply: 0,
        canaryAtApply: { id: '900', started: false },
        unhealthyInARow: 1,
        lastApply: {
          at,
          added: 13,
          changed: 0,
          destroyed: 1,
          updates: '00112233',
          repeated: 'aws_instance.manager',
        },
        productionTag: true,
        evidence: { at, workers: [702], canary: '900' },
        removal: { began: at, ended: at },
        intake: { state: 'paused', by: 'operator', since: at },
      },
      pink: {
        intake: { state: 'pausing', by: 'unknown', since: at },
        evidence: { at, workers: [] },
        removal: { began: at },
        routingBefore: { tags: ['arm'], runUntagged: true, paused: false, isRestoring: true },
      },
    },
  ),
  history: [
    {
      id: '1-100',
      kind: 'rollback',
      candidate: 'pink',
      finishedAt: at,
      cost: 'jobs=3 broken=0',
    },
    { id: '1-90', kind: 'activate', candidate: 'pink', finishedAt: at },
  ],
  writesRefusedAt: at,
};
