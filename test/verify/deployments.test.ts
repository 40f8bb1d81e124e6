import { beforeAll, describe, expect, test } from '@jest/globals';
import { verifyEventFile } from '../../src/verify/verify.ts';
import { stackSettings, type WorldOptions } from '../fakes/builders.ts';
import type { Fault } from '../fakes/seam/seam.ts';
import { createSimulation } from '../fakes/simulation.ts';
import type { World } from '../fakes/world/world.ts';
import type { Command } from '../stages/drive.ts';
import { drive } from '../stages/drive.ts';
import { sampleOf } from '../support/sample.ts';
import { deployedWorld, pipeline, secondId } from './deployed-world.ts';
import { historyOf } from './world-history.ts';

let beginning: World;
beforeAll(async () => {
  beginning = await deployedWorld();
});

/** A stack of GitHub's runners, as its evidence says. */
function fleetOptions(runners: 'github_persistent' | 'github_ephemeral'): WorldOptions {
  const scope = { kind: 'organization', organization: 'acme' } as const;
  const stacks = [
    stackSettings({
      github: {
        scope,
        groups: { production: 'Default' },
        ephemeral: runners === 'github_ephemeral',
      },
    }),
  ];
  return { stacks, behaviour: { runners, concurrent: 1 } };
}

interface Struck {
  readonly stage: Command;
  readonly index: number;
  readonly fault: Fault;
}

/** A second deployment under customers' jobs, struck once, each stage run again; what it wrote. */
async function evidenceOf(struck?: Struck, from = beginning) {
  const world = structuredClone(from);
  const before = structuredClone(world);
  const lines: string[] = [];
  let effects = 0;
  const run = async (stage: Command, strikes: boolean) => {
    effects = 0;
    const simulation = createSimulation({
      world,
      intercept: ({ effect }) => {
        if (!effect || !strikes || stage !== struck?.stage) return undefined;
        effects += 1;
        return effects === struck.index ? struck.fault : undefined;
      },
    });
    const jobId = `${stage} ${world.counters.random}`;
    const evidence = (line: string) => void lines.push(line);
    await drive(simulation, stage, { deploymentId: secondId, jobId, evidence });
    await createSimulation({ world }).advance(60_000);
  };
  for (const stage of pipeline) {
    await run(stage, true);
    if (struck !== undefined) await run(stage, false);
  }
  await createSimulation({ world }).advance(3_600_000);
  const { findings, damage } = verifyEventFile(`${lines.join('\n')}\n`, historyOf(before, world));
  const violated = findings.filter(({ outcome }) => outcome === 'violated');
  return { findings, damage, violated, effects, lines };
}

/** Nothing failed, nothing jumped, nothing was baked, no runner of ours runs us, and finalize was not needed. */
const undecided = ['S14', 'S16', 'S19', 'L2', 'L3', 'L5', 'L6', 'L7'];

const faults: readonly Fault[] = [
  { kind: 'crash_after' },
  { kind: 'lost_answer' },
  { kind: 'error_before', failure: 'unavailable', status: 503 },
];

/** Every fourth effect of each stage; provision has the most. */
const places = pipeline.flatMap((stage) =>
  [1, 5, 9, 13, 17, 21, 25, 29, 33, 37, 41, 45, 49, 53, 57]
    .filter((index) => index <= 25 || stage === 'provision')
    .map((index) => ({ stage, index })),
);

function placeName({ stage, index }: Omit<Struck, 'fault'>, { kind }: Fault): string {
  return `${stage} ${index} ${kind}`;
}

describe('a deployment of the real stages', () => {
  test('is accepted, and nearly everything is decided', async () => {
    const { findings, damage, violated } = await evidenceOf();
    expect({ damage, violated }).toEqual({ damage: [], violated: [] });
    const open = findings.filter(({ outcome }) => outcome === 'not decidable');
    expect(open.map(({ invariant }) => invariant)).toEqual(undecided);
  });

  test.each(faults)('is accepted after $kind at each of its effects', async (fault) => {
    const trouble: string[] = [];
    for (const { stage, index } of sampleOf(places, (one) => placeName(one, fault))) {
      const { violated, damage } = await evidenceOf({ stage, index, fault });
      for (const text of damage) trouble.push(text);
      for (const { invariant, reasons } of violated)
        trouble.push(`${stage} #${index}: ${invariant} ${reasons[0]}`);
    }
    expect(trouble).toEqual([]);
  });
});

describe.each(['github_persistent', 'github_ephemeral'] as const)('a deployment of %s', (kind) => {
  let fleet: World;
  beforeAll(async () => {
    fleet = await deployedWorld(fleetOptions(kind));
  });

  test('is accepted, and what is left undecided is the same as with GitLab', async () => {
    const { findings, damage, violated } = await evidenceOf(undefined, fleet);
    expect({ damage, violated }).toEqual({ damage: [], violated: [] });
    const open = findings.filter(({ outcome }) => outcome === 'not decidable');
    expect(open.map(({ invariant }) => invariant)).toEqual(undecided);
  });

  test.each(faults)(
    'is accepted after $kind at every second effect of its retirement',
    async (fault) => {
      const trouble: string[] = [];
      const retirement = (['shutdown', 'cleanup'] as const).flatMap((stage) =>
        [1, 3, 5, 7, 9, 11].map((index) => ({ stage, index })),
      );
      for (const { stage, index } of sampleOf(retirement, (one) => placeName(one, fault))) {
        const { violated, damage } = await evidenceOf({ stage, index, fault }, fleet);
        for (const text of damage) trouble.push(text);
        for (const { invariant, reasons } of violated)
          trouble.push(`${stage} #${index}: ${invariant} ${reasons[0]}`);
      }
      expect(trouble).toEqual([]);
    },
  );
});
