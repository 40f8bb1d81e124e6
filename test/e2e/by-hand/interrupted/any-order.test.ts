import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { everything, whatIsWrongAtRest } from '../world/at-rest.ts';
import { openWorld, type World } from '../world/world.ts';

/**
 * What each stage answers at each place of a deployment where it is not the next one: an error's
 * code, or `nothing` where there is nothing to do. Neither changes anything.
 */
const answers: readonly (readonly [at: string, next: string, wrong: Record<string, string>])[] = [
  [
    'before any deployment',
    'deploy',
    {
      onboard: 'NotPrepared',
      provision: 'NotPrepared',
      promote: 'NotPrepared',
      healthcheck: 'NotPrepared',
      shutdown: 'NotPrepared',
      cleanup: 'NotPrepared',
      finalize: 'nothing',
      rollback: 'NothingToRollBack',
      'recover --method rerun': 'NotPrepared',
      'recover --method cleanup --yes': 'NotPrepared',
      'activate --shard pink': 'NoSuchRegistration',
      release: 'nothing',
    },
  ],
  [
    'done',
    'prepare',
    {
      onboard: 'nothing',
      provision: 'nothing',
      promote: 'nothing',
      shutdown: 'nothing',
      cleanup: 'nothing',
      finalize: 'nothing',
      rollback: 'NothingToRollBack',
      'recover --method rerun': 'nothing',
      'recover --method cleanup --yes': 'nothing',
      'activate --shard purple': 'NoSuchRegistration',
    },
  ],
  [
    'prepared',
    'onboard',
    {
      prepare: 'nothing',
      promote: 'StageOutOfOrder',
      shutdown: 'nothing',
      finalize: 'nothing',
      rollback: 'NothingToRollBack',
      'activate --shard purple': 'NoSuchRegistration',
    },
  ],
  [
    'onboarded',
    'provision --until healthy',
    {
      prepare: 'nothing',
      onboard: 'done',
      promote: 'StageOutOfOrder',
      shutdown: 'nothing',
      finalize: 'nothing',
      rollback: 'NothingToRollBack',
    },
  ],
  [
    'healthy',
    'promote',
    {
      prepare: 'nothing',
      shutdown: 'nothing',
      finalize: 'nothing',
      cleanup: 'nothing',
      'recover --method cleanup --yes': 'CannotRecover',
      rollback: 'NothingToRollBack',
    },
  ],
  [
    'promoted',
    'shutdown',
    {
      prepare: 'nothing',
      onboard: 'nothing',
      provision: 'nothing',
      promote: 'nothing',
      cleanup: 'StageOutOfOrder',
      'recover --method rerun': 'CannotRecover',
      'recover --method cleanup --yes': 'CannotRecover',
    },
  ],
  [
    'drained',
    'cleanup',
    {
      prepare: 'nothing',
      onboard: 'nothing',
      provision: 'nothing',
      promote: 'nothing',
      'recover --method rerun': 'CannotRecover',
    },
  ],
];

const exitCodes: Record<string, number> = {
  nothing: 0,
  done: 0,
  NotPrepared: 2,
  NothingToRollBack: 2,
  NoSuchRegistration: 2,
  StageOutOfOrder: 2,
  CannotRecover: 1,
};

describe('stages in every wrong order', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  // One after the other: each place is reached from the one before it.
  test('say why and touch nothing, at every place of a deployment', async () => {
    for (const [at, next, wrong] of answers) {
      for (const [command, wanted] of Object.entries(wrong)) {
        const before = everything(world);
        const [name = '', ...args] = command.split(' ');
        const end = await world.stage(name, { args });
        const found = end.exitCode === 0 ? wordOf(end.stdout) : end.code;
        const place = `${at}: ${command}`;
        expect({ place, found, exitCode: end.exitCode, text: end.stderr }).toEqual({
          place,
          found: wanted,
          exitCode: exitCodes[wanted],
          text: wanted in { nothing: 1, done: 1 } ? '' : expect.stringContaining('fix'),
        });
        expect({ place, world: everything(world) }).toEqual({ place, world: before });
      }
      const [name = '', ...args] = next.split(' ');
      expect(await world.stage(name, { args })).toMatchObject({ exitCode: 0 });
    }
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });
});

describe('every stage run twice', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  test('does the second time nothing, and the deployment ends as always', async () => {
    expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
    for (const stage of ['prepare', 'onboard', 'provision', 'promote', 'shutdown', 'cleanup']) {
      expect(await world.stage(stage)).toMatchObject({ exitCode: 0 });
      if (stage === 'cleanup') break;
      const before = everything(world);
      expect(await world.stage(stage)).toMatchObject({ exitCode: 0 });
      expect({ stage, world: everything(world) }).toEqual({ stage, world: before });
    }
    expect(await world.stage('cleanup')).toMatchObject({ exitCode: 0 });
    expect(await world.stage('finalize')).toMatchObject({ exitCode: 0 });
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });

  test('a finished id stays finished', async () => {
    const id = ['--deployment', 'by-hand-1'];
    expect(await world.stage('deploy', { args: id })).toMatchObject({ exitCode: 0 });
    const before = everything(world);
    const deploy = await world.stage('deploy', { args: id });
    expect(deploy).toMatchObject({ exitCode: 2, code: 'NotPrepared' });
    for (const stage of ['prepare', 'onboard', 'provision', 'promote', 'finalize']) {
      const end = await world.stage(stage, { args: id });
      expect({ stage, exitCode: end.exitCode, text: end.stdout }).toEqual({
        stage,
        exitCode: 0,
        text: expect.stringContaining(
          'deployment by-hand-1 is done; "hosted-runner deploy --runner linux" begins the next one',
        ),
      });
    }
    expect(everything(world)).toEqual(before);
  });
});

function wordOf(stdout: string): string {
  return /^ {2}Nothing to do for /m.test(stdout) ? 'nothing' : 'done';
}
