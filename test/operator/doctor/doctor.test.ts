import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { type Consent, consentOf } from '../../../src/operator/confirm.ts';
import { examineStack } from '../../../src/operator/doctor/doctor.ts';
import { repairStack } from '../../../src/operator/doctor/repair.ts';
import { rowsOf } from '../../../src/operator/doctor/report.ts';
import { fail } from '../../broken-stacks/sources.ts';
import { at, rested } from '../../broken-stacks/state.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf, parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { drive } from '../../stages/drive.ts';
import { examine, stackOf } from './examine.ts';

test('doctor reports a cause that several sources share once, with all these sources', async () => {
  const refused = fail('unauthenticated', ['parameters', 'instances', 'host']);
  const { findings } = await examine(await rested(() => {}), refused());
  expect(findings[0]).toMatchObject({
    code: 'credentials_refused',
    seen: 'injected: unauthenticated (parameters find, parameters listVersions, instances list, host list)',
  });
});

test('doctor does not conclude from refused credentials that no job runs', async () => {
  const world = await rested((one) => {
    submitJob(one, { name: 'build', tags: ['linux'], durationMs: 3_600_000 });
  });
  expect(hostsOf(world, stackOf(world), purple)[0]?.jobs).toHaveLength(1);
  const { contradictions } = await examine(world, fail('unauthenticated', ['registry'])());
  expect(contradictions).toEqual([]);
});

describe('doctor --fix', () => {
  const fix = (world: World, consent: Consent) =>
    drive(createSimulation({ world }), 'healthcheck', {
      deploymentId: 'terminal-2',
      ci: 'terminal',
      act: async (context) => {
        const { findings } = await repairStack(context, consent);
        return { kind: 'done', summary: findings.map(({ code }) => code) };
      },
    });
  const lost = () => rested((world) => removeParameter(world, parametersOf(stackOf(world)).status));

  test('shows its plan and does nothing without a confirmation', async () => {
    for (const consent of [consentOf(false, undefined), consentOf(false, async () => 'y')]) {
      const world = await lost();
      const ending = await fix(world, consent);
      expect(ending).toMatchObject({ kind: 'error', error: { code: 'NotConfirmed' } });
      expect(ending.log).toEqual([
        'Plan: write /gitlab/dedicated/runner/linux/deployment_status: {"active_shard":"purple","inactive_shard":"pink"}.',
      ]);
      expect(parameterValue(world, parametersOf(stackOf(world)).status)).toBeUndefined();
    }
  });

  test('writes the status that record and runners agree on after a typed yes', async () => {
    const world = await lost();
    expect(
      await fix(
        world,
        consentOf(false, async () => 'yes'),
      ),
    ).toMatchObject({
      kind: 'done',
      text: 'healthy',
    });
  });

  test.each(['prepared', 'healthy', 'promoted'] as const)(
    'writes a lost status at %s while the pipeline still runs, because its next stage needs it',
    async (phase) => {
      const world = await at(phase, (one) =>
        removeParameter(one, parametersOf(stackOf(one)).status),
      );
      for (const pipeline of Object.values(world.pipelines)) pipeline.state = 'running';
      expect(await fix(world, { kind: 'given' })).toMatchObject({
        kind: 'done',
        text: 'deployment_running',
      });
    },
  );

  test('leaves a status that a pipeline may be about to write', async () => {
    const world = await at('promoting', (one) =>
      removeParameter(one, parametersOf(stackOf(one)).status),
    );
    for (const pipeline of Object.values(world.pipelines)) pipeline.state = 'running';
    expect((await examine(world)).findings[0]?.code).toBe('deployment_running');
  });

  test('changes nothing on a held stack', async () => {
    const world = await lost();
    const { hold, status } = parametersOf(stackOf(world));
    putParameter(world, { name: hold, value: '{"who":"kim","why":"x","since":"2026-11-02"}' });
    const ending = await fix(world, { kind: 'given' });
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Held' } });
    expect(parameterValue(world, status)).toBeUndefined();
  });

  test('leaves a status that another process has written since the plan, and shows it', async () => {
    const world = await lost();
    const { status } = parametersOf(stackOf(world));
    const foreignStatus = formatStatus(stackOf(world).shards, pink);
    const ending = await fix(
      world,
      consentOf(false, async () => {
        putParameter(world, { name: status, value: foreignStatus });
        return 'yes';
      }),
    );
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'ForeignWrite' } });
    expect(parameterValue(world, status)).toBe(foreignStatus);
  });

  test('writes no status if another process has written the record since the plan', async () => {
    const world = await lost();
    const { status, record } = parametersOf(stackOf(world));
    const ending = await fix(
      world,
      consentOf(false, async () => {
        putParameter(world, { name: record, value: `${parameterValue(world, record)} ` });
        return 'yes';
      }),
    );
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'ForeignWrite' } });
    expect(parameterValue(world, status)).toBeUndefined();
  });

  test('does nothing if nothing is wrong', async () => {
    const world = await rested();
    const before = structuredClone(world.parameters);
    expect(await fix(world, consentOf(false, undefined))).toMatchObject({
      kind: 'done',
      text: 'healthy',
    });
    expect(world.parameters).toEqual(before);
  });

  test('waits for the name of a status that was just deleted', async () => {
    const world = await rested();
    removeParameter(world, parametersOf(stackOf(world)).status);
    const ending = await fix(world, { kind: 'given' });
    expect(ending).toMatchObject({ kind: 'done', text: 'healthy' });
    expect(ending.log).toContain(
      'Waiting: AWS reserves the name of the deleted status for 30s after its deletion.',
    );
  });

  test('leaves a finding with several outcomes to the operator', async () => {
    const world = await at('promoted', (one) =>
      removeParameter(one, parametersOf(stackOf(one)).record),
    );
    expect(await fix(world, { kind: 'given' })).toMatchObject({
      kind: 'error',
      error: { code: 'NothingToFix', exitCode: 3 },
    });
  });
});

describe.each([
  ['healthy', 'provision_unfinished'],
  ['done', 'healthy'],
] as const)('a machine of an Auto Scaling group in the state, at %s', (phase, code) => {
  test(`belongs to the state: doctor reports ${code}`, async () => {
    const world = await at(phase, (one) => {
      const [host] = hostsOf(one, stackOf(one), purple);
      if (host === undefined) throw new Error('purple has no host');
      host.autoScalingGroup = 'purple-linux_managers';
      const disk = { kind: 'volume', id: 'vol-0abc', partOf: host.id } as const;
      one.tagged.push({ runnerName: stackOf(one).runnerName, shard: purple, resource: disk });
    });
    const examined = await examine(world);
    expect(examined.findings.map((one) => one.code)).toEqual([code]);
    expect(rowsOf(examined).map(({ leftovers }) => leftovers)).toEqual(['none', 'none']);
  });
});

test('a worker of docker+machine and its parts are not leftovers', async () => {
  const world = await at('done', (one) => {
    const place = { runnerName: stackOf(one).runnerName, shard: purple };
    const worker = { kind: 'instance', id: 'i-0worker', name: 'runner-1-machine' } as const;
    one.tagged.push({ ...place, resource: { ...worker, state: 'running' } });
    const part = { kind: 'network_interface', id: 'eni-0worker', partOf: worker.id } as const;
    one.tagged.push({ ...place, resource: part });
  });
  const examined = await examine(world);
  expect(examined.findings.map((one) => one.code)).toEqual(['healthy']);
});

test('doctor writes its diagnosis and the report of each source to the evidence', async () => {
  const world = await rested((one) =>
    putParameter(one, {
      name: parametersOf(stackOf(one)).status,
      value: formatStatus(stackOf(one).shards, pink),
    }),
  );
  const lines: string[] = [];
  await drive(createSimulation({ world }), 'healthcheck', {
    deploymentId: 'terminal-3',
    ci: 'terminal',
    evidence: (line) => lines.push(line),
    act: async (context) => {
      await examineStack(context);
      return { kind: 'done', summary: [] };
    },
  });
  const found = lines.map((line) => JSON.parse(line)).find(({ kind }) => kind === 'doctor');
  expect(found).toMatchObject({
    findings: [{ code: 'status_edited' }],
    contradictions: [
      {
        about: 'which shard is active',
        says: [
          { who: 'deployment_status', what: 'pink' },
          { who: 'deployment_record', what: 'purple' },
          { who: 'GitLab', what: 'purple accepts jobs' },
        ],
      },
      {
        about: 'purple: its role',
        says: [
          { who: 'deployment_status', what: 'inactive' },
          { who: 'GitLab', what: 'accepts jobs' },
        ],
      },
    ],
  });
});
