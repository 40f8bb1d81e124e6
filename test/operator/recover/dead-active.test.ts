import { describe, expect, test } from '@jest/globals';
import { at } from '../../broken-stacks/state.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, listAcceptingShards } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene } from '../../scenarios/scene.ts';
import { asTyped } from '../../support/typing.ts';
import { examine, stackOf, type } from '../doctor/examine.ts';
import { failed } from './failed-candidate.ts';

/** Reaches a candidate that never contacted GitLab, then ends the active shard's machine. */
async function endActiveHosts(): Promise<World> {
  const world = await failed(1, 'never_contacts');
  for (const host of hostsOf(world, stackOf(world), pink)) terminateHost(world, host, 'world');
  world.behaviour.boots = {};
  absorb(world);
  return world;
}

describe('an active shard without a machine beside a candidate that is not promoted', () => {
  test.each(['finalize', 'shutdown', 'cleanup'])(
    'makes %s report that no shard accepts jobs, with the next command',
    async (stage) => {
      const ending = await type(await endActiveHosts(), `hosted-runner ${stage} --runner linux`);
      expect(ending).toMatchObject({
        kind: 'error',
        phase: 'applied',
        error: {
          code: 'NothingServes',
          exitCode: 3,
          fields: {
            what: `No shard of linux accepts jobs: pink cannot, and purple is not promoted. ${stage} has no old shard to drain or remove.`,
            why: [
              expect.stringMatching(/^No machine of pink exists/),
              'The deployment is in phase applied.',
            ],
          },
        },
      });
    },
  );

  test.each(['activate --runner linux --shard pink', 'finalize --runner linux'])(
    'makes %s print the command that doctor prints, which works',
    async (line) => {
      const world = await endActiveHosts();
      const [first] = (await examine(world)).findings;
      const ending = await type(world, `hosted-runner ${line}`);
      const [fix = ''] = (ending.kind === 'error' && ending.error.fields.fix) || [];
      const command = fix.replace(/^[^:]*: /, '');
      expect(
        asTyped(first?.commands ?? [])[0]
          ?.split(' ')
          .sort(),
      ).toEqual(command.split(' ').sort());
      expect(fix.startsWith('Recover the candidate, purple: ')).toBe(true);
      expect(await type(world, command)).toMatchObject({ kind: 'done', phase: 'promoted' });
      expect(listAcceptingShards(world, stackOf(world))).toEqual(['purple']);
    },
  );

  test('a candidate that waits for its promotion is promoted, not rebuilt', async () => {
    const world = await at('healthy', (broken) => {
      for (const host of hostsOf(broken, stackOf(broken), pink))
        terminateHost(broken, host, 'world');
    });
    const ending = await type(world, 'hosted-runner finalize --runner linux');
    expect(ending).toMatchObject({ error: { code: 'NothingServes', exitCode: 3 } });
    expect((ending.kind === 'error' && ending.error.fields.fix?.[0]) || undefined).toBe(
      'Promote purple, whose healthcheck passed: hosted-runner promote --runner linux',
    );
    expect(await type(world, 'hosted-runner promote --runner linux')).toMatchObject({
      kind: 'done',
      phase: 'promoted',
    });
    expect(listAcceptingShards(world, stackOf(world))).toEqual(['purple']);
  });

  test('a verified candidate that has died since is recovered, not promoted', async () => {
    const world = await at('healthy', (broken) => {
      for (const shard of [pink, purple] as const)
        for (const host of hostsOf(broken, stackOf(broken), shard))
          terminateHost(broken, host, 'world');
    });
    const ending = await type(world, 'hosted-runner finalize --runner linux');
    expect((ending.kind === 'error' && ending.error.fields.fix?.[0]) || undefined).toBe(
      'Recover the candidate, purple: hosted-runner recover --method auto --yes --runner linux',
    );
    const recovery = await type(world, 'hosted-runner recover --method auto --yes --runner linux');
    expect(recovery).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(listAcceptingShards(world, stackOf(world))).toEqual(['purple']);
  });

  test('one outdated check of a restarting process causes no error', async () => {
    const world = await at('healthy', () => {});
    const older = structuredClone(world);
    for (const host of hostsOf(older, stackOf(older), pink))
      Object.assign(host, { process: 'absent', restarts: false });
    let checks = 0;
    const scene = openScene(
      world,
      ({ port, method }) => {
        if (port !== 'host' || method !== 'look') return undefined;
        checks += 1;
        return checks === 1 ? { kind: 'stale' } : undefined;
      },
      () => older,
    );
    expect(await scene.type('finalize')).toMatchObject({ kind: 'nothing' });
    expect(checks).toBeGreaterThan(1);
  });

  test('a stage that comes too early does nothing while the active shard may accept jobs', async () => {
    const world = await failed(1, 'never_contacts');
    expect(await type(world, 'hosted-runner finalize --runner linux')).toMatchObject({
      kind: 'nothing',
      text: 'purple is not promoted; the deployment is in phase applied; pink must continue to accept jobs',
    });
  });
});
