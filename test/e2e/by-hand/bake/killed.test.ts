import { afterEach, expect, test } from '@jest/globals';
import { whatIsWrongAtRest } from '../world/at-rest.ts';
import { type Customers, openForBusiness } from '../world/customers.ts';
import { atRequest, type Moment, seed, seededDice } from '../world/interruptions.ts';
import type { End } from '../world/running.ts';
import { runnerOf } from '../world/shards.ts';
import type { World } from '../world/world.ts';
import { promotedWorld, sayOfAlarm, stages, startWatch, steered } from './steered.ts';

let world: World;
let customers: Customers | undefined;
afterEach(async () => {
  customers?.close();
  await world?.close();
});

/** Killed at that request that it sends; what ended it, and what it had said. */
async function killed(nth: number, moment: Moment): Promise<End> {
  const running = world.start({ args: ['finalize', '--runner', 'linux'], set: steered });
  const restore = atRequest(world, { nth, moment, strike: () => running.kill('SIGKILL') });
  const end = await running.ended;
  restore();
  return end;
}

test('killed while it watches and again and again on the way back, it is gone back once, and no job is lost', async () => {
  world = await promotedWorld();
  customers = openForBusiness(world);
  const dice = seededDice(seed);
  const pink = runnerOf(world, 'pink');
  const ends: End[] = [];

  // While all is well it is watched without the lock, for as long as it lives.
  const watch = startWatch(world);
  await watch.says('Waiting: purple is watched, ');
  const strike = () => watch.kill('SIGKILL');
  const restore = atRequest(world, { nth: 1 + dice(20), moment: 'before', strike });
  ends.push(await watch.ended);
  restore();
  expect(ends.at(-1)).toMatchObject({ signal: 'SIGKILL' });
  sayOfAlarm(world, 'ALARM');
  for (let kills = 0; kills < mostKills; kills += 1) {
    const moment = kills % 2 === 0 ? 'after' : 'before';
    ends.push(await killed(25 + dice(50), moment));
    if (ends.at(-1)?.signal === null) break;
  }
  // The run that finishes it says that it was taken back, whichever it is; the next one finds nothing to do.
  const last = await world.stage('finalize', { set: steered });
  ends.push(last);
  expect(last.exitCode === 0 ? 'TakenBack' : last.code).toBe('TakenBack');
  await stages(world, ['finalize'], steered);

  const { lost, unserved } = await customers.finish();
  const told = ends.map(({ args, exitCode, text }) => `${args[0]} ${exitCode}\n${text}`);
  const seen = { lost, unserved, wrong: whatIsWrongAtRest(world), serves: runnerOf(world, 'pink') };
  if (lost.length > 0 || unserved.length > 0 || seen.wrong.length > 0)
    throw new Error(JSON.stringify(seen, null, 1) + told.join('\n'));
  expect(seen.serves).toMatchObject({ id: pink.id, paused: false, tags: ['linux'] });
  expect(ends.filter(({ signal }) => signal === 'SIGKILL').length).toBeGreaterThanOrEqual(3);
  expect(timesTakenBack()).toBe(1);
});

const mostKills = 6;

function timesTakenBack(): number {
  const name = '/gitlab/dedicated/runner/linux/deployment_record';
  const record = world.sandbox.parameters.read(name).value();
  const { history } = JSON.parse(record) as { history?: readonly string[] };
  return (history ?? []).filter((line) => line.includes(' taken_back ')).length;
}
