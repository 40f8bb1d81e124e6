import { expect, test } from '@jest/globals';
import { verifyEventFile } from '../../src/verify/verify.ts';
import { stackSettings, type WorldOptions } from '../fakes/builders.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { drive } from '../stages/drive.ts';
import { deployedWorld, pipeline, secondId } from './deployed-world.ts';
import { historyOf } from './world-history.ts';

/** Returns a stack of GitHub runners, as in its evidence. */
function fleetOptions(ephemeral: boolean): WorldOptions {
  const scope = { kind: 'organization', organization: 'acme' } as const;
  const github = { scope, groups: { production: 'Default' }, ephemeral };
  const runners = ephemeral ? 'github_ephemeral' : 'github_persistent';
  return { stacks: [stackSettings({ github })], behaviour: { runners, concurrent: 1 } };
}

/** Returns the checker's findings for a second deployment under customer jobs. */
async function verifyDeployment(options?: WorldOptions) {
  const world = await deployedWorld(options);
  const before = structuredClone(world);
  const lines: string[] = [];
  for (const stage of pipeline) {
    const jobId = `${stage} ${world.counters.random}`;
    const evidence = (line: string) => void lines.push(line);
    await drive(createSimulation({ world }), stage, { deploymentId: secondId, jobId, evidence });
    await createSimulation({ world }).advance(60_000);
  }
  await createSimulation({ world }).advance(3_600_000);
  return verifyEventFile(`${lines.join('\n')}\n`, historyOf(before, world));
}

/**
 * This deployment has no failure, no clock jump, no bake, no runner of the stack that runs
 * hosted-runner, and no need for finalize.
 */
const undecided = ['S14', 'S16', 'S19', 'L2', 'L3', 'L5', 'L6', 'L7'];

// The layer `checked` of the simulation covers deployments under faults.
test.each([
  ['gitlab', undefined],
  ['github_persistent', fleetOptions(false)],
  ['github_ephemeral', fleetOptions(true)],
])(
  'a deployment of %s passes the verification, which decides nearly everything',
  async (_, options) => {
    const { findings, damage } = await verifyDeployment(options);
    const of = (outcome: string) =>
      findings.filter((one) => one.outcome === outcome).map(({ invariant }) => invariant);
    expect({ damage, violated: of('violated'), open: of('not decidable') }).toEqual({
      damage: [],
      violated: [],
      open: undecided,
    });
  },
);
