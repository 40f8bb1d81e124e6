import { describe, expect, test } from '@jest/globals';
import type { DeploymentId } from '../../src/domain/shard.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import {
  createCustomersOnly,
  withoutAnyCanary,
} from '../../src/stages/observe/canary-ownership.ts';
import { purple, recordAt } from '../domain/samples.ts';

interface Surroundings {
  /** Ids of listed canaries by queried deployment, with `own` for this run's. */
  readonly listed?: Readonly<Record<string, readonly string[]>>;
  readonly isUnresponsive?: boolean;
  readonly canary?: 'job' | 'off';
  readonly version?: number;
}

/**
 * Returns a context with a record of deployment 1-200. Its canary 900 was kept at the apply, and
 * 901 is its evidence.
 */
function contextWith({ listed = {}, isUnresponsive, canary = 'job', version = 1 }: Surroundings) {
  const queries: string[] = [];
  const entry = {
    canaryAtApply: { id: '900' },
    evidence: { at: '2026-11-02T10:00:00.000Z', workers: [1], canary: '901' },
  };
  const context = {
    run: { deploymentId: 'terminal-1' as DeploymentId },
    settings: { canary: { kind: canary, jobName: 'hosted_runner_canary' } },
    journal: {
      version: () => version,
      current: () => recordAt({ phase: 'healthy' }, { [purple]: entry as never }),
    },
    ports: {
      canary: {
        async listIds(of: string | undefined) {
          queries.push(of ?? 'own');
          if (isUnresponsive)
            throw new PortFailure({
              kind: 'unavailable',
              effect: 'none',
              source: 'GitLab',
              detail: 'it cannot answer now',
            });
          return listed[of ?? 'own'] ?? [];
        },
      },
    },
  } as unknown as StageContext;
  return { context, queries };
}

const jobs = (...ids: string[]) => ids.map((id) => ({ id, name: 'hosted_runner_canary' }));
const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);

test('a job with the name of the canary counts as a customer job unless hosted-runner started or found it', async () => {
  const { context } = contextWith({ listed: { own: ['950'], '1-200': ['960'] } });
  const found = await createCustomersOnly(context)(jobs('900', '901', '950', '960', '7'));
  expect(ids(found)).toEqual(['7']);
});

test('a job that cannot be queried counts as a customer job, and a recorded canary needs no query', async () => {
  const { context } = contextWith({ isUnresponsive: true, listed: { own: ['950'] } });
  expect(ids(await createCustomersOnly(context)(jobs('900', '901', '950')))).toEqual(['950']);
});

test('no source is queried if no canary runs, and an earlier canary still is no customer job', async () => {
  const { context, queries } = contextWith({ canary: 'off' });
  expect(ids(await createCustomersOnly(context)(jobs('901', '7')))).toEqual(['7']);
  expect(queries).toEqual([]);
});

test('a run without a record knows only its own canaries', async () => {
  const { context, queries } = contextWith({ version: 0, listed: { own: ['950'] } });
  expect(ids(await createCustomersOnly(context)(jobs('900', '950')))).toEqual(['900']);
  expect(queries).toEqual(['own']);
});

test('a job that counted as a customer job stays one and is not queried again', async () => {
  const { context, queries } = contextWith({ listed: { own: ['950'] } });
  const customersOnly = createCustomersOnly(context);
  await customersOnly(jobs('950', '7'));
  const often = queries.length;
  expect(ids(await customersOnly(jobs('950', '7')))).toEqual(['7']);
  expect(queries).toHaveLength(often);
  expect(ids(await customersOnly(jobs('8')))).toEqual(['8']);
  expect(queries.length).toBeGreaterThan(often);
});

describe('the jobs that count as customer jobs', () => {
  const canary = (kind: object) => ({ settings: { canary: kind } }) as unknown as StageContext;
  const job = (id: string, more: object = {}) =>
    ({ id, name: 'build', status: 'success', url: '', ...more }) as const;
  const counted = (kind: object, jobs: ReturnType<typeof job>[]) =>
    withoutAnyCanary(canary(kind), jobs).map(({ id }) => id);

  test('exclude every job with the name of a canary, whichever run started it', () => {
    const all = [job('1'), job('2', { name: 'canary' }), job('3', { name: 'canary: [linux]' })];
    expect(counted({ kind: 'job', jobName: 'canary' }, all)).toEqual(['1']);
  });

  test.each(['acme/Canary', '77'])(
    'exclude jobs of the canary project %s and jobs without a project',
    (project) => {
      const all = [
        job('1', { project: 'acme/shop', projectId: '7' }),
        job('2', { project: 'acme/canary', projectId: '77' }),
        job('3'),
      ];
      expect(counted({ kind: 'project', project }, all)).toEqual(['1']);
    },
  );

  test('include every job if no canary runs', () => {
    expect(counted({ kind: 'off' }, [job('1'), job('2')])).toEqual(['1', '2']);
  });
});
