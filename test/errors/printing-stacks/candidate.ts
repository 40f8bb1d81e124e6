import { notHealthy } from '../../../src/errors/healthcheck-errors.ts';
import { createChecker } from '../../../src/operator/health-checker.ts';
import { recover } from '../../../src/operator/recover/recover.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import type { StageResult } from '../../../src/stages/context/result.ts';
import { runStage } from '../../../src/stages/run/run-stage.ts';
import { at, endPipelines, rested } from '../../broken-stacks/state.ts';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import {
  hostsOf,
  parametersOf,
  parameterValue,
  registrationsOf,
} from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf } from '../../operator/doctor/examine.ts';
import { failed } from '../../operator/recover/failed-candidate.ts';
import { drive } from '../../stages/drive.ts';
import { isProductionRouting, killAt } from '../../stages/reach.ts';
import { on, type PrintingStack } from './printing.ts';

const hour = 3_600_000;

function breakPurple(world: World): void {
  for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'broken_workload';
}

function someoneRunsThere(world: World): void {
  registrationsOf(world, stackOf(world), purple)[0]?.tags.push('special');
  submitJob(world, { name: 'by hand', tags: ['special'], durationMs: 2 * hour });
}

/** Checks once, like `healthcheck --once`. */
async function checkOnce(context: StageContext): Promise<StageResult> {
  const { status, reasons } = await createChecker(context)();
  throw notHealthy({ runner: 'linux', shard: purple, status, reasons });
}

const itEnds = async (world: World) => createSimulation({ world }).advance(3 * hour);

/** Stacks with a broken candidate: its token, its health, and its recovery. */
export const candidateStacks: readonly PrintingStack[] = [
  {
    code: 'TokenLost',
    build: async () => {
      const world = await at('healthy', (one) =>
        removeParameter(one, parametersOf(stackOf(one)).token(purple)),
      );
      return world;
    },
    typed: on('provision'),
    before: (world) => {
      for (const { id } of registrationsOf(world, stackOf(world), purple))
        delete world.registrations[id];
    },
    leads: {
      [on('recover --method cleanup --yes')]: 'done, promoted',
      [on('status')]: 'done, healthy',
    },
  },
  {
    code: 'HealthInconclusive',
    build: () => at('applied', () => {}),
    typed: on('provision'),
    surroundings: () => ({
      intercept: ({ port, method }) =>
        port === 'host' && method === 'look'
          ? { kind: 'error_before', failure: 'unavailable' }
          : undefined,
    }),
    leads: { [on('provision')]: 'done, promoted' },
  },
  {
    code: 'NotHealthy',
    build: () => failed(1, 'never_contacts'),
    typed: on('healthcheck'),
    surroundings: () => ({ drive: { act: checkOnce } }),
    // The command promises only a verdict.
    leads: { [on('healthcheck')]: '1 HealthcheckTimedOut, applied' },
  },
  {
    code: 'Retreated',
    build: async () => {
      const world = worldWithActive(pink);
      const simulation = createSimulation({ world, intercept: killAt(isProductionRouting) });
      for (const stage of ['prepare', 'onboard', 'provision'] as const)
        await drive(simulation, stage, { deploymentId: '1-200', jobId: stage });
      await createSimulation({ world }).advance(60_000);
      endPipelines(world);
      for (const host of hostsOf(world, stackSettings(), purple)) host.boot = 'fails_jobs';
      breakPurple(world);
      removeParameter(world, parametersOf(stackOf(world)).lock);
      return world;
    },
    typed: on('provision'),
    leads: { [on('provision')]: 'done, promoted' },
  },
  {
    code: 'CleanupRefused',
    build: () => at('applied', someoneRunsThere),
    typed: `${on('recover')} --method cleanup --yes`,
    // The recovery method checks for jobs first. This job starts right after that check.
    surroundings: () => ({
      drive: { act: (context) => runStage(context, 'cleanup', { removesCandidate: true }) },
    }),
    before: itEnds,
    leads: { [on('provision')]: 'done, promoted', [on('status')]: 'done, applied' },
  },
  {
    code: 'NotConfirmed',
    build: () => failed(2, 'fails_jobs'),
    typed: `${on('recover')} --method cleanup`,
    surroundings: () => ({
      drive: {
        act: (context) => recover(context, { method: 'cleanup', consent: { kind: 'nobody' } }),
      },
    }),
    leads: { [`${on('recover')} --method cleanup --yes`]: 'done, promoted' },
  },
  {
    code: 'CannotRecover',
    where: 'by a rerun of what changed nothing',
    build: () => failed(2, 'fails_jobs'),
    typed: `${on('recover')} --method rerun --yes`,
    leads: {
      [`${on('recover')} --method cleanup --yes`]: 'done, promoted',
      [`${on('recover')} --method terminate --yes`]: 'done, promoted',
      [on('doctor')]: 'done, applied',
    },
  },
  {
    code: 'CannotRecover',
    where: 'while a job runs on the candidate',
    build: async () => {
      const world = await at('applied', someoneRunsThere);
      await createSimulation({ world }).advance(60_000);
      return world;
    },
    typed: `${on('recover')} --method cleanup --yes`,
    before: itEnds,
    leads: {
      [`${on('recover')} --method auto --yes`]: 'done, promoted',
      [on('doctor')]: 'done, applied',
    },
  },
  {
    code: 'NoRungLeft',
    build: async () => {
      const world = await failed(2, 'fails_jobs');
      for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'ok';
      someoneRunsThere(world);
      await createSimulation({ world }).advance(60_000);
      return world;
    },
    typed: `${on('recover')} --method auto --yes`,
    before: itEnds,
    leads: {
      [`${on('recover')} --method auto --yes`]: 'done, promoted',
      [on('doctor')]: 'done, applied',
    },
  },
  {
    code: 'NothingToFix',
    build: () =>
      rested((world) => {
        const { record } = parametersOf(stackOf(world));
        const value = JSON.parse(parameterValue(world, record) ?? '{}') as Record<string, unknown>;
        putParameter(world, { name: record, value: JSON.stringify({ ...value, schema: 99 }) });
      }),
    typed: `${on('doctor')} --fix`,
    leads: { [on('doctor')]: 'done, done' },
  },
];
