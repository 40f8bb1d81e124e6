import { expect, test } from '@jest/globals';
import { bundledProgram } from '../../support/program.ts';
import { openForBusiness } from '../by-hand/customers.ts';
import { atRequest } from '../by-hand/interruptions.ts';
import { whatIsWrongAtRest } from '../by-hand/rest.ts';
import { openWorld, type World } from '../by-hand/world.ts';

const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup'] as const;
/** Each is a sandbox of its own, so that nobody waits for another's boots and drains. */
const lanes = 4;

/** The world's own slowness only; what is decided stays as it is. Fewer polls are fewer requests. */
const quick = { bootDelayMs: 20, checkIntervalMs: 100, traceIntervalMs: 100, resourceMs: 5 };
const set = ['drain.poll_of_runner=250ms', 'drain.poll=300ms', 'healthcheck.poll=500ms'];
/** `KILLED_MOST=40`: further; from there on a stage mostly repeats its looks, as often as the machine is slow. */
const most = Number(process.env['KILLED_MOST'] ?? 8);

interface Kill {
  readonly stage: string;
  readonly nth: number;
}

test('SIGKILL after the n-th request of every stage, run again, and the goal is reached', async () => {
  const startedAt = performance.now();
  const kills = (await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)))).flat();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  for (const stage of stages) {
    const struck = kills.filter((kill) => kill.stage === stage).map(({ nth }) => nth);
    expect(struck.length).toBeGreaterThan(5);
    const last = Math.max(...struck);
    process.stdout.write(
      `${stage}: killed at ${struck.length} requests, the last of them its ${last}.\n`,
    );
  }
  process.stdout.write(`${kills.length} kills in ${seconds} s\n`);
});

/** Deployment after deployment, each stage of the n-th killed at its n-th request, until none has so many. */
async function run(lane: number): Promise<Kill[]> {
  const world = await openWorld({ file: bundledProgram, behaviour: quick });
  const kills: Kill[] = [];
  try {
    await toEnd(world, 'deploy');
    const customers = openForBusiness(world, { longSeconds: 0.6 });
    for (let nth = lane + 1; nth <= most; nth += lanes) {
      const struck = await deployStruckAt(world, nth);
      kills.push(...struck);
      expect({ nth, wrong: whatIsWrongAtRest(world) }).toEqual({ nth, wrong: [] });
      if (struck.length === 0) break;
    }
    const { lost, unserved } = await customers.finish();
    expect({ lost, unserved }).toEqual({ lost: [], unserved: [] });
    return kills;
  } finally {
    await world.close();
  }
}

async function deployStruckAt(world: World, nth: number): Promise<Kill[]> {
  const kills: Kill[] = [];
  for (const stage of stages) {
    const running = world.start({ args: [stage, '--runner', 'linux'], set });
    const strike = () => running.kill('SIGKILL');
    const restore = atRequest(world, { nth, moment: 'after', strike });
    const end = await running.ended;
    restore();
    if (end.signal === null) expectDone(end, `${stage}, unstruck at ${nth}`);
    else {
      kills.push({ stage, nth });
      await toEnd(world, stage, `killed after request ${nth}: ${end.text}`);
    }
  }
  return kills;
}

async function toEnd(world: World, stage: string, before = ''): Promise<void> {
  expectDone(await world.stage(stage, { set }), before);
}

function expectDone({ exitCode, text }: { exitCode: number | null; text: string }, before: string) {
  if (exitCode !== 0) throw new Error(`${before}\n\nrun again: exit code ${exitCode}\n${text}`);
}
