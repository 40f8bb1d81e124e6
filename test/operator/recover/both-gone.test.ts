import { describe, expect, test } from '@jest/globals';
import { at, rested } from '../../broken-stacks/state.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { hostsOf, listAcceptingShards } from '../../fakes/world/shards.ts';
import { stackOf, type } from '../doctor/examine.ts';
import { end, pause } from '../doctor/first-finding.ts';

describe('two shards without machines after the promotion', () => {
  const endAllHosts = () =>
    at('promoted', (world) => {
      for (const shard of [pink, purple])
        for (const host of hostsOf(world, stackOf(world), shard))
          terminateHost(world, host, 'world');
    });

  test.each([
    'rollback --runner linux',
    'activate --runner linux --shard pink',
    'activate --runner linux --shard purple',
    'recover --runner linux --method rerun --yes',
    'recover --runner linux --method auto --yes',
  ])('make %s print a command that is accepted', async (typed) => {
    const world = await endAllHosts();
    const ending = await type(world, `hosted-runner ${typed}`);
    const [fix = ''] = (ending.kind === 'error' && ending.error.fields.fix) || [];
    expect(fix).toMatch(/^If pink cannot accept jobs either, remove it: /);
    expect(await type(world, fix.replace(/^[^:]*: /, ''))).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
  });
});

describe('a finished deployment whose shard no longer accepts jobs', () => {
  test.each([
    {
      when: 'it has no machine',
      change: end,
      why: /^No machine of purple exists: /,
      fix: 'Build pink and make it active: hosted-runner deploy --runner linux',
      accepting: ['pink'],
    },
    {
      when: 'it is paused',
      change: pause,
      why: /^Runner 48214 of purple is paused\.$/,
      fix: 'Reopen purple and verify it: hosted-runner activate --runner linux --shard purple',
      accepting: ['purple'],
    },
  ])(
    'makes recover report that $when, with a command that is accepted',
    async ({ change, ...expected }) => {
      const world = await rested((one) => change(one, purple));
      const ending = await type(world, 'hosted-runner recover --runner linux --method auto --yes');
      expect(ending).toMatchObject({
        kind: 'error',
        phase: 'done',
        error: {
          code: 'NothingServes',
          exitCode: 3,
          fields: {
            what: 'Neither shard of linux (purple, pink) accepts jobs, and there is no unfinished deployment to recover.',
            why: [expect.stringMatching(expected.why), 'The deployment is done.'],
            fix: [expected.fix, 'Diagnose the stack: hosted-runner doctor --runner linux'],
          },
        },
      });
      const [fix = ''] = (ending.kind === 'error' && ending.error.fields.fix) || [];
      expect((await type(world, fix.replace(/^[^:]*: /, ''))).kind).toBe('done');
      expect(listAcceptingShards(world, stackOf(world))).toEqual(expected.accepting);
    },
  );

  test('recover does nothing if the active shard accepts jobs', async () => {
    const world = await rested(() => {});
    expect(
      await type(world, 'hosted-runner recover --runner linux --method auto --yes'),
    ).toMatchObject({ kind: 'nothing', text: expect.stringContaining('starts the next one') });
  });
});
