import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { everything, whatIsWrongAtRest } from './world/at-rest.ts';
import { openWorld, type World } from './world/world.ts';

const name = '/gitlab/dedicated/runner/linux/deployment_status';
const usual = '{"active_shard":"purple","inactive_shard":"pink"}';

const refused: readonly (readonly [edit: string, value: string | undefined, why: string])[] = [
  [
    'swapped, to a shard that does not exist',
    '{"active_shard":"pink","inactive_shard":"purple"}',
    'deployment_status says pink is active, the record expects purple.',
  ],
  [
    'both shards equal',
    '{"active_shard":"purple","inactive_shard":"purple"}',
    'deployment_status is invalid: both shards are said to be "purple".',
  ],
  [
    'an unknown shard',
    '{"active_shard":"green","inactive_shard":"pink"}',
    'deployment_status is invalid: active_shard is the unknown shard "green".',
  ],
  ['empty', ' ', 'deployment_status is invalid: it is empty.'],
  ['not JSON', 'purple', 'deployment_status is invalid: it is not JSON: "purple".'],
  ['deleted', undefined, 'deployment_status says nothing, the record expects purple.'],
];

/** As a person with permission does it, who also may put the pattern aside. */
function edit({ sandbox: { parameters } }: World, value: string | undefined): void {
  if (value === undefined) parameters.remove(name);
  else parameters.put({ name, value, overwrite: true, type: 'String', allowedPattern: '.*' });
}

async function openDeployed(): Promise<World> {
  const world = await openWorld();
  for (const _ of ['pink', 'purple']) {
    expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  }
  return world;
}

/** Types what an error told to type. */
async function typePrinted(world: World, stderr: string): Promise<void> {
  const command = /hosted-runner (activate --runner linux .*)$/m.exec(stderr)?.[1];
  expect(command).toBe('activate --runner linux --shard purple');
  const typed = await world.stage('activate', { args: ['--shard', 'purple'] });
  expect({ text: typed.stderr, exitCode: typed.exitCode }).toEqual({ text: '', exitCode: 0 });
  expect(await world.stage('finalize')).toMatchObject({ exitCode: 0 });
  expect(whatIsWrongAtRest(world)).toEqual([]);
  expect(world.sandbox.parameters.read(name).value()).toBe(usual);
}

const table = /why {2}.*\n +shard +deployment_status +record +GitLab +AWS\n +pink .*\n +purple /;

describe('deployment_status edited by hand at rest', () => {
  let world: World;
  beforeAll(async () => {
    world = await openDeployed();
  });
  afterAll(() => world.close());

  test.each(refused)(
    '%s: every stage stops and touches nothing, and what is printed mends it',
    async (_, value, why) => {
      edit(world, value);
      const before = everything(world);
      let said = '';
      for (const stage of ['prepare', 'finalize']) {
        const end = await world.stage(stage);
        expect(end).toMatchObject({ exitCode: 3, code: 'FactsContradict' });
        expect(end.stderr).toContain(why);
        expect(end.stderr).toMatch(table);
        said = end.stderr;
      }
      expect(everything(world)).toEqual(before);
      await typePrinted(world, said);
    },
  );

  test('other spaces and another order of the keys change nothing', async () => {
    edit(world, '\n{ "inactive_shard" : "pink",\n  "active_shard" : "purple" }\n');
    expect(await world.stage('finalize')).toMatchObject({ exitCode: 0 });
    expect(await world.stage('status')).toMatchObject({ exitCode: 0 });
    edit(world, usual);
  });
});

test('edited while both shards serve, to the old one: what is printed makes it whole', async () => {
  const world = await openDeployed();
  expect(await world.stage('prepare')).toMatchObject({ exitCode: 0 });
  expect(await world.stage('provision')).toMatchObject({ exitCode: 0 });
  edit(world, usual);
  const before = everything(world);
  const end = await world.stage('finalize');
  expect(end).toMatchObject({ exitCode: 3, code: 'FactsContradict' });
  expect(end.stderr).toMatch(table);
  expect(end.stderr).toContain('Purple is proven to serve; make that whole: ');
  expect(everything(world)).toEqual(before);
  await typePrinted(world, end.stderr);
  await world.close();
});
