import { describe, expect, test } from '@jest/globals';
import { sampleOf } from '../../support/sample.ts';
import { parseScenario } from '../beginnings/scenario.ts';
import { simulate } from '../simulate.ts';

/** A machine event at a call that is named, wherever that is by now. */
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
    when: 'promoted, before the other one is closed',
    at: 'promoted',
    of: 'active',
    call: 'registry.',
  },
  {
    when: 'promoted, as the other one is closed',
    at: 'promoted',
    of: 'active',
    call: 'registry.setIntake',
  },
  {
    when: 'promoted, while the other one drains',
    at: 'draining',
    of: 'active',
    call: 'registry.listJobs',
  },
  {
    when: 'promoted, before the other one is stopped',
    at: 'draining',
    of: 'active',
    call: 'host.quit',
  },
  {
    when: 'promoted, before the other one is deregistered',
    at: 'drained',
    of: 'active',
    call: 'registry.retire',
  },
  {
    when: 'promoted, before the other one is destroyed',
    at: 'destroying',
    of: 'active',
    call: 'registry.',
  },
  { when: 'active, while the candidate is proven', at: 'applied', of: 'active', call: 'canary.' },
  { when: 'the candidate, while it is proven', at: 'applied', of: 'other', call: 'canary.' },
  { when: 'retiring, while it drains', at: 'draining', of: 'other', call: 'registry.listJobs' },
] as const;

describe.each(['dies', 'hangs', 'offline'])('every machine of a shard %s', (what) => {
  test.each(sampleOf(moments, ({ when }) => `${what} ${when}`))(
    'that is $when',
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
  'the drain, its bake and the stop together keep it closed no longer than one of them: %s',
  async (how, call) => {
    const at = { run: 0, call, mode: 'active_hangs' };
    expect(await strike(`draining/pink/fresh/${how}`, at)).toEqual([]);
  },
);

test.each(['activate purple 48213@healthy/pink/fresh', 'activate pink 48214@promoted/pink/fresh'])(
  'an id of the other shard takes nothing from it: %s',
  async (beginning) => {
    const { runs, verdict } = await simulate(parseScenario(beginning));
    expect(runs[0]?.ended).toBe('RegistrationOfAnotherShard');
    expect(verdict).toEqual([]);
  },
);
