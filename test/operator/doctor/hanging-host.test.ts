import { describe, expect, test } from '@jest/globals';
import { examineStack } from '../../../src/operator/doctor/doctor.ts';
import { readRecoveryFacts } from '../../../src/operator/recover/recovery-facts.ts';
import { reportStack } from '../../../src/operator/status-report.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { rested } from '../../broken-stacks/state.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import { hang, minute, openPromoted } from '../../scenarios/service/promoted.ts';
import { drive } from '../../stages/drive.ts';
import { examine, stackOf } from './examine.ts';

/** Longest host check without a limit of the caller. */
const wholeMs = 105_000;

/** Runs `ask` on a stack whose active host never completes a check. Returns the duration. */
async function hanging(check: (context: StageContext) => Promise<unknown>) {
  const world = await rested();
  const [hung] = hostsOf(world, stackOf(world), purple);
  const began = world.now;
  const ending = await drive(createSimulation({ world }), 'healthcheck', {
    deploymentId: 'terminal-1',
    ci: 'terminal',
    act: async (context) => {
      await context.journal.read();
      const { host, clock } = context.ports;
      const checkHost: typeof host.look = async (id, limit) => {
        if (id !== hung?.id) return host.look(id, limit);
        await clock.sleep(limit?.withinMs ?? wholeMs);
        return { kind: 'silent', reason: 'no word' };
      };
      await check({ ...context, ports: { ...context.ports, host: { ...host, look: checkHost } } });
      return { kind: 'done', summary: [] };
    },
  });
  if (ending.kind === 'error') throw ending.error;
  return { tookMs: world.now - began, hung: hung?.id };
}

describe('a host that hangs', () => {
  test('delays doctor for 20 seconds and appears as unknown', async () => {
    let hostsJson = '';
    const { tookMs, hung } = await hanging(async (context) => {
      const { view } = await examineStack(context);
      hostsJson = JSON.stringify(view.of(purple).hosts);
      expect(view.state(purple).service.kind).toBe('unknown');
    });
    expect(hostsJson).toContain(`"id":"${hung}"`);
    expect(hostsJson).toContain('not known: no word');
    expect(tookMs).toBeGreaterThan(15_000);
    expect(tookMs).toBeLessThan(30_000);
  });

  test('delays status for the same time', async () => {
    const { tookMs } = await hanging(async (context) => {
      const { shards } = await reportStack(context);
      expect(shards.find(({ shard }) => shard === purple)?.service.verdict).toBe('unknown');
    });
    expect(tookMs).toBeLessThan(30_000);
  });

  test('delays a removal for the whole timeout', async () => {
    const { tookMs } = await hanging((context) =>
      readRecoveryFacts(context, context.journal.current()),
    );
    expect(tookMs).toBeGreaterThanOrEqual(wholeMs);
  });

  test('causes no report of a running job that GitLab alone lists', async () => {
    const { scene, world } = await openPromoted();
    scene.simulation.at(10 * minute, (then) => hang(then, pink));
    await scene.type('shutdown', { deadline: world.now + 20 * minute });
    const { findings } = await examine(world);
    const [waits] = findings.filter(({ code }) => code === 'drain_waits');
    expect(waits?.seen).toMatch(/^GitLab: pink still runs job \d+ "long build"$/);
  });
});
