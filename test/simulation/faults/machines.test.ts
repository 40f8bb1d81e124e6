import { describe, expect, test } from '@jest/globals';
import { sampleOf } from '../../support/sample.ts';
import { parseScenario } from '../beginnings/scenario.ts';
import { simulate } from '../simulate.ts';

/** Strikes a named call with a machine fault, at its current position. */
async function strike(
  beginning: string,
  { run, call, mode }: { run: number; call: string; mode: string },
): Promise<readonly string[]> {
  const scenario = parseScenario(beginning);
  const calls: number[] = [];
  const runs: string[] = [];
  await simulate(scenario, {
    onCall({ incarnation, own, port, method, args }) {
      if (!runs.includes(incarnation)) runs.push(incarnation);
      const name = [`${port}.${method}`, ...args.filter((one) => typeof one === 'string')].join(
        ' ',
      );
      if (runs.indexOf(incarnation) === run && name.startsWith(call)) calls.push(own);
    },
  });
  const [own] = calls;
  if (own === undefined) throw new Error(`run ${run} of ${beginning} does not call ${call}`);
  const { verdict } = await simulate(parseScenario(`${beginning} ${run}:${own}:${mode}`));
  return verdict;
}

const moments = [
  {
    when: 'promoted, before the other shard is paused',
    at: 'promoted',
    of: 'active',
    call: 'registry.',
  },
  {
    when: 'promoted, when the other shard is paused',
    at: 'promoted',
    of: 'active',
    call: 'registry.setIntake',
  },
  {
    when: 'promoted, while the other shard drains',
    at: 'draining',
    of: 'active',
    call: 'registry.listJobs',
  },
  {
    when: 'promoted, before the other shard is stopped',
    at: 'draining',
    of: 'active',
    call: 'host.quit',
  },
  {
    when: 'promoted, before the other shard is deregistered',
    at: 'drained',
    of: 'active',
    call: 'registry.retire',
  },
  {
    when: 'promoted, before the other shard is destroyed',
    at: 'destroying',
    of: 'active',
    call: 'registry.',
  },
  { when: 'active, while the candidate is verified', at: 'applied', of: 'active', call: 'canary.' },
  { when: 'the candidate, while it is verified', at: 'applied', of: 'other', call: 'canary.' },
  { when: 'retiring, while it drains', at: 'draining', of: 'other', call: 'registry.listJobs' },
] as const;

describe.each(['dies', 'hangs', 'offline'])('every machine of a shard %s', (what) => {
  test.each(sampleOf(moments, ({ when }) => `${what} ${when}`))(
    'leads to no violation if the shard is $when',
    async ({ at, of, call }) => {
      const mode = `${of}_${what}`;
      expect(await strike(`${at}/pink/fresh`, { run: 0, call, mode })).toEqual([]);
    },
  );
});

test.each([
  ['drain_bad_told', 'registry.listFinishedJobs 48213'],
  ['unseen', 'registry.readSight'],
])(
  'the drain, its bake and the stop together keep the old shard paused no longer than one of them: %s',
  async (how, call) => {
    const at = { run: 0, call, mode: 'active_hangs' };
    expect(await strike(`draining/pink/fresh/${how}`, at)).toEqual([]);
  },
);

test.each(['activate purple 48213@healthy/pink/fresh', 'activate pink 48214@promoted/pink/fresh'])(
  'an id of the other shard changes nothing of that shard: %s',
  async (beginning) => {
    const { runs, verdict } = await simulate(parseScenario(beginning));
    expect(runs[0]?.ended).toBe('RegistrationOfAnotherShard');
    expect(verdict).toEqual([]);
  },
);
